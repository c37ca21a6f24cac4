//! Named arguments, as in `idv('lake', on_error => 'skip')`.

use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::sql::sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, TableFactor, Value};

/// Converts named arguments to the texts that table functions accept, because DataFusion does not pass names on to them.
#[derive(Debug)]
pub struct NamedArguments {
    /// The functions with named arguments.
    pub functions: Vec<&'static str>,
}

impl RelationPlanner for NamedArguments {
    fn plan_relation(
        &self,
        mut relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let TableFactor::Table { name, args: Some(arguments), alias, .. } = &mut relation else {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        };
        let is_own = self.functions.contains(&&*name.to_string().to_lowercase());
        let is_named = |argument: &FunctionArg| matches!(argument, FunctionArg::Named { .. });
        if !is_own || !arguments.args.iter().any(is_named) {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        }
        for argument in &mut arguments.args {
            if let FunctionArg::Named { name, arg, .. } = argument {
                let text = format!("{}={}", name.value.to_lowercase(), value(arg)?);
                let text = Expr::Value(Value::SingleQuotedString(text).with_empty_span());
                *argument = FunctionArg::Unnamed(FunctionArgExpr::Expr(text));
            }
        }
        let alias = alias.take();
        let plan = context.plan(relation)?;
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, alias))))
    }
}

/// Returns the text of a value.
fn value(argument: &FunctionArgExpr) -> Result<String> {
    let FunctionArgExpr::Expr(Expr::Value(value)) = argument else {
        return plan_err!("{argument} is not a value: expected a text, a number, true or false");
    };
    match &value.value {
        Value::SingleQuotedString(text) => Ok(text.clone()),
        Value::Number(..) | Value::Boolean(_) => Ok(value.to_string()),
        other => plan_err!("{other} is not a value of an argument: expected a text, a number, true or false"),
    }
}
