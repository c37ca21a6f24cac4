meta: {id: x}
seq: [{id: a, type: u1}]
instances:
  v: {value: a.as<any>._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof._sizeof}
