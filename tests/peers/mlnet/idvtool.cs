// idvtool: drives the real ML.NET (Microsoft.ML.Data.dll BinarySaver / BinaryLoader) to write and read .idv files.
//   idvtool gen DIR        write the set of .idv files and, for each, FILE.json (what ML.NET reads back from it);
//                          also compares that with the source data view and prints SAME or the first differing line
//   idvtool genbench DIR   write the two benchmark files
//   idvtool dump FILE      print schema + annotations + all rows as JSON
//   idvtool dumps DIR FILE...  the same of several files in one start: DIR/0.json, DIR/1.json, ...; of a file that
//                          ML.NET refuses {"refused": message}
//   idvtool check FILE     load, read all annotations and all values; exit 0, or 1 with the exception message
//   idvtool bench FILE     5 timed passes over all rows x all columns
//   idvtool benchwrite FILE OUT COMPRESSION   5 timed writings of the rows of a file, which are held in memory
//   idvtool info           versions
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using Microsoft.ML;
using Microsoft.ML.Data;
using Microsoft.ML.Transforms;

static class J
{
    static readonly CultureInfo Inv = CultureInfo.InvariantCulture;
    public static string D(double d)
    {
        if (double.IsNaN(d)) return "\"NaN(0x" + BitConverter.DoubleToInt64Bits(d).ToString("x16", Inv) + ")\"";
        return Fin(d);
    }
    public static string F(float f)
    {
        if (float.IsNaN(f)) return "\"NaN(0x" + BitConverter.SingleToInt32Bits(f).ToString("x8", Inv) + ")\"";
        return Fin((double)f); // exact: the float's value as a double, shortest digits that give that double back
    }
    static string Fin(double d)
    {
        if (double.IsPositiveInfinity(d)) return "\"Infinity\"";
        if (double.IsNegativeInfinity(d)) return "\"-Infinity\"";
        string s = d.ToString("R", Inv);
        if (s.IndexOf('.') < 0 && s.IndexOf('E') < 0) s += ".0";
        return s;
    }
    public static void Str(StringBuilder b, string s)
    {
        b.Append('"');
        foreach (char c in s)
        {
            if (c == '"' || c == '\\') b.Append('\\').Append(c);
            else if (c < 32 || c > 126) b.Append("\\u").Append(((int)c).ToString("x4", Inv));
            else b.Append(c);
        }
        b.Append('"');
    }
    public static Action<StringBuilder, T> Prim<T>()
    {
        Delegate d;
        if (typeof(T) == typeof(sbyte)) d = new Action<StringBuilder, sbyte>((b, v) => b.Append(v.ToString(Inv)));
        else if (typeof(T) == typeof(byte)) d = new Action<StringBuilder, byte>((b, v) => b.Append(v.ToString(Inv)));
        else if (typeof(T) == typeof(short)) d = new Action<StringBuilder, short>((b, v) => b.Append(v.ToString(Inv)));
        else if (typeof(T) == typeof(ushort)) d = new Action<StringBuilder, ushort>((b, v) => b.Append(v.ToString(Inv)));
        else if (typeof(T) == typeof(int)) d = new Action<StringBuilder, int>((b, v) => b.Append(v.ToString(Inv)));
        else if (typeof(T) == typeof(uint)) d = new Action<StringBuilder, uint>((b, v) => b.Append(v.ToString(Inv)));
        else if (typeof(T) == typeof(long)) d = new Action<StringBuilder, long>((b, v) => b.Append(v.ToString(Inv)));
        else if (typeof(T) == typeof(ulong)) d = new Action<StringBuilder, ulong>((b, v) => b.Append(v.ToString(Inv)));
        else if (typeof(T) == typeof(float)) d = new Action<StringBuilder, float>((b, v) => b.Append(F(v)));
        else if (typeof(T) == typeof(double)) d = new Action<StringBuilder, double>((b, v) => b.Append(D(v)));
        else if (typeof(T) == typeof(bool)) d = new Action<StringBuilder, bool>((b, v) => b.Append(v ? "true" : "false"));
        else if (typeof(T) == typeof(ReadOnlyMemory<char>)) d = new Action<StringBuilder, ReadOnlyMemory<char>>((b, v) => Str(b, v.ToString()));
        else if (typeof(T) == typeof(DateTime)) d = new Action<StringBuilder, DateTime>((b, v) => b.Append(v.Ticks.ToString(Inv)));
        else if (typeof(T) == typeof(DateTimeOffset)) d = new Action<StringBuilder, DateTimeOffset>((b, v) => b.Append('[').Append(v.DateTime.Ticks.ToString(Inv)).Append(',').Append(((long)v.Offset.TotalMinutes).ToString(Inv)).Append(']'));
        else if (typeof(T) == typeof(TimeSpan)) d = new Action<StringBuilder, TimeSpan>((b, v) => b.Append(v.Ticks.ToString(Inv)));
        else if (typeof(T) == typeof(DataViewRowId)) d = new Action<StringBuilder, DataViewRowId>((b, v) => b.Append('[').Append(v.Low.ToString(Inv)).Append(',').Append(v.High.ToString(Inv)).Append(']'));
        else throw new Exception("no printer for " + typeof(T));
        return (Action<StringBuilder, T>)d;
    }
    public static Action<StringBuilder, VBuffer<T>> Vec<T>()
    {
        var p = Prim<T>();
        return (b, v) =>
        {
            T[] vals = v.GetValues().ToArray();
            b.Append("{\"len\":").Append(v.Length.ToString(Inv));
            if (!v.IsDense)
            {
                b.Append(",\"indices\":[");
                int[] ix = v.GetIndices().ToArray();
                for (int i = 0; i < ix.Length; i++) { if (i > 0) b.Append(','); b.Append(ix[i].ToString(Inv)); }
                b.Append("],\"sparse\":[");
            }
            else b.Append(",\"dense\":[");
            for (int i = 0; i < vals.Length; i++) { if (i > 0) b.Append(','); p(b, vals[i]); }
            b.Append("]}");
        };
    }
    public static Delegate For(DataViewType t)
    {
        var vt = t as VectorDataViewType;
        string m = vt != null ? "Vec" : "Prim";
        Type a = vt != null ? vt.ItemType.RawType : t.RawType;
        return (Delegate)typeof(J).GetMethod(m).MakeGenericMethod(a).Invoke(null, null);
    }
    public static void TypeInfo(StringBuilder b, DataViewType t)
    {
        var v = t as VectorDataViewType; var k = t as KeyDataViewType;
        if (v != null)
        {
            b.Append("{\"kind\":\"vector\",\"dims\":[").Append(string.Join(",", v.Dimensions.Select(x => x.ToString(Inv)))).Append("],\"item\":");
            TypeInfo(b, v.ItemType); b.Append('}');
        }
        else if (k != null) b.Append("{\"kind\":\"key\",\"raw\":\"" + t.RawType.Name + "\",\"count\":" + k.Count.ToString(Inv) + "}");
        else b.Append("{\"kind\":\"" + (t is TextDataViewType ? "Text" : t.RawType.Name) + "\"}");
    }
}

static class Dumper
{
    static Action<StringBuilder> CellT<T>(DataViewRow row, DataViewSchema.Column col, Delegate fmt)
    {
        var g = row.GetGetter<T>(col); var f = (Action<StringBuilder, T>)fmt; T v = default(T);
        return b => { g(ref v); f(b, v); };
    }
    static void AnnT<T>(StringBuilder b, DataViewSchema.Annotations a, string kind, Delegate fmt)
    {
        T v = default(T); a.GetValue(kind, ref v); ((Action<StringBuilder, T>)fmt)(b, v);
    }
    static object Call(string name, Type t, params object[] args)
    {
        try { return typeof(Dumper).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static).MakeGenericMethod(t).Invoke(null, args); }
        catch (TargetInvocationException e) { System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(e.InnerException).Throw(); throw; }
    }
    // Returns the number of rows seen.
    public static long Dump(IDataView dv, TextWriter w, string version, bool skipHidden = false, bool noCols = false)
    {
        var b = new StringBuilder();
        var cols = dv.Schema.Where(c => !noCols && !(skipHidden && c.IsHidden)).ToArray();
        b.Append("{\"version\":").Append(version == null ? "null" : "\"" + version + "\"");
        long? rc = dv.GetRowCount();
        b.Append(",\"rowCount\":").Append(rc == null ? "null" : rc.Value.ToString(CultureInfo.InvariantCulture));
        b.Append(",\n\"columns\":[");
        for (int c = 0; c < cols.Length; c++)
        {
            b.Append(c == 0 ? "\n" : ",\n").Append(" {\"name\":"); J.Str(b, cols[c].Name);
            b.Append(",\"type\":"); J.Str(b, cols[c].Type.ToString());
            b.Append(",\"typeinfo\":"); J.TypeInfo(b, cols[c].Type);
            b.Append(",\"hidden\":").Append(cols[c].IsHidden ? "true" : "false").Append(",\"annotations\":[");
            bool first = true;
            foreach (var a in cols[c].Annotations.Schema)
            {
                b.Append(first ? "\n" : ",\n").Append("   {\"kind\":"); first = false; J.Str(b, a.Name);
                b.Append(",\"type\":"); J.Str(b, a.Type.ToString());
                b.Append(",\"typeinfo\":"); J.TypeInfo(b, a.Type);
                b.Append(",\"value\":"); Call("AnnT", a.Type.RawType, b, cols[c].Annotations, a.Name, J.For(a.Type)); b.Append('}');
            }
            b.Append("]}");
        }
        b.Append("],\n\"rows\":[");
        w.Write(b); b.Clear();
        long n = 0;
        using (var cur = dv.GetRowCursor(cols))
        {
            var cells = cols.Select(c => (Action<StringBuilder>)Call("CellT", c.Type.RawType, cur, c, J.For(c.Type))).ToArray();
            while (cur.MoveNext())
            {
                b.Append(n == 0 ? "\n[" : ",\n[");
                for (int c = 0; c < cells.Length; c++) { if (c > 0) b.Append(','); cells[c](b); }
                b.Append(']'); n++;
                if (b.Length > 60000) { w.Write(b); b.Clear(); }
            }
        }
        b.Append("]}\n"); w.Write(b);
        return n;
    }
    static Action ReadT<T>(DataViewRow row, DataViewSchema.Column col)
    {
        var g = row.GetGetter<T>(col); T v = default(T);
        return () => g(ref v);
    }
    public static long ReadAll(IDataView dv)
    {
        var cols = dv.Schema.ToArray(); long n = 0;
        using (var cur = dv.GetRowCursor(cols))
        {
            var gs = cols.Select(c => (Action)Call("ReadT", c.Type.RawType, cur, c)).ToArray();
            while (cur.MoveNext()) { for (int c = 0; c < gs.Length; c++) gs[c](); n++; }
        }
        return n;
    }
}

// ---- a data view over generator functions, so that every column type can be written --------------------------------
abstract class Col
{
    public string Name; public DataViewType Type; public DataViewSchema.Annotations Ann;
    public abstract Delegate Getter(Func<long> pos);
    public Col With(Action<DataViewSchema.Annotations.Builder> f) { var x = new DataViewSchema.Annotations.Builder(); f(x); Ann = x.ToAnnotations(); return this; }
}
class Col<T> : Col
{
    Func<long, T> f;
    public Col(string n, DataViewType t, Func<long, T> f) { if (t.RawType != typeof(T)) throw new Exception("type mismatch " + n); Name = n; Type = t; this.f = f; }
    public override Delegate Getter(Func<long> pos) { ValueGetter<T> g = (ref T v) => v = f(pos()); return g; }
}
class MemView : IDataView
{
    readonly Col[] cols; readonly long rows; readonly DataViewSchema schema;
    public MemView(long rows, params Col[] cols)
    {
        this.rows = rows; this.cols = cols;
        var b = new DataViewSchema.Builder();
        foreach (var c in cols) b.AddColumn(c.Name, c.Type, c.Ann);
        schema = b.ToSchema();
    }
    public DataViewSchema Schema { get { return schema; } }
    public bool CanShuffle { get { return false; } }
    public long? GetRowCount() { return rows; }
    public DataViewRowCursor GetRowCursor(IEnumerable<DataViewSchema.Column> need, Random rand = null) { return new Cur(this, need); }
    public DataViewRowCursor[] GetRowCursorSet(IEnumerable<DataViewSchema.Column> need, int n, Random rand = null) { return new DataViewRowCursor[] { new Cur(this, need) }; }
    sealed class Cur : DataViewRowCursor
    {
        readonly MemView p; long pos = -1; readonly HashSet<int> act;
        public Cur(MemView p, IEnumerable<DataViewSchema.Column> need) { this.p = p; act = new HashSet<int>(need.Select(c => c.Index)); }
        public override DataViewSchema Schema { get { return p.schema; } }
        public override long Position { get { return pos; } }
        public override long Batch { get { return 0; } }
        public override bool IsColumnActive(DataViewSchema.Column c) { return act.Contains(c.Index); }
        public override ValueGetter<T> GetGetter<T>(DataViewSchema.Column c) { return (ValueGetter<T>)p.cols[c.Index].Getter(() => pos); }
        public override ValueGetter<DataViewRowId> GetIdGetter() { return (ref DataViewRowId id) => id = new DataViewRowId((ulong)pos, 0); }
        public override bool MoveNext() { if (pos + 1 < p.rows) { pos++; return true; } pos = p.rows; return false; }
    }
}

class IrisRow { public float A, B; public string Cat; public string Text; public bool Label; public int N; }

static class Gen
{
    static MLContext ml = new MLContext(1);
    static string dir; static int bad = 0, count = 0;
    static readonly Assembly DataAsm = typeof(MLContext).Assembly;
    static readonly Type SaverT = DataAsm.GetType("Microsoft.ML.Data.IO.BinarySaver", true);
    static readonly Type ArgsT = DataAsm.GetType("Microsoft.ML.Data.IO.BinarySaver+Arguments", true);
    static readonly Type KindT = DataAsm.GetType("Microsoft.ML.Data.IO.CompressionKind", true);

    public const string None = "None", Deflate = "Deflate";
    // comp null: the public mlContext.Data.SaveAsBinary; otherwise the internal BinarySaver by reflection.
    public static void Save(IDataView dv, string path, string comp, int? rpb, long? bpb, bool det, bool keepHidden, bool noCols)
    {
        using (var s = File.Create(path))
        {
            if (comp == null) { ml.Data.SaveAsBinary(dv, s, keepHidden); return; }
            object args = Activator.CreateInstance(ArgsT);
            ArgsT.GetField("Compression").SetValue(args, Enum.Parse(KindT, comp));
            ArgsT.GetField("MaxRowsPerBlock").SetValue(args, rpb);
            ArgsT.GetField("MaxBytesPerBlock").SetValue(args, bpb);
            ArgsT.GetField("DeterministicBlockOrder").SetValue(args, det);
            ArgsT.GetField("Silent").SetValue(args, true);
            object saver = SaverT.GetConstructors().Single().Invoke(new object[] { ml, args });
            int[] cols = noCols ? new int[0] : dv.Schema.Where(c => keepHidden || !c.IsHidden).Select(c => c.Index).ToArray();
            SaverT.GetMethod("SaveData").Invoke(saver, new object[] { s, dv, cols });
        }
    }
    public static string Version(string path)
    {
        using (var r = new BinaryReader(File.OpenRead(path)))
        {
            r.ReadInt64(); ulong v = r.ReadUInt64(), c = r.ReadUInt64();
            Func<ulong, string> f = x => ((x >> 48) & 0xffff) + "." + ((x >> 32) & 0xffff) + "." + ((x >> 16) & 0xffff) + "." + (x & 0xffff);
            return f(v) + "/" + f(c);
        }
    }
    static void W(string name, IDataView dv, string comp = Deflate, int? rpb = 1 << 13, long? bpb = 80 << 20, bool det = false, bool keepHidden = false, bool noCols = false)
    {
        string path = Path.Combine(dir, name + ".idv");
        string res;
        try
        {
            Save(dv, path, comp, rpb, bpb, det, keepHidden, noCols);
            string got;
            var ld = ml.Data.LoadFromBinary(path);
            using (var w = new StreamWriter(path + ".json", false, new UTF8Encoding(false))) Dumper.Dump(ld, w, Version(path));
            (ld as IDisposable)?.Dispose();
            got = File.ReadAllText(path + ".json");
            // compare with the source view (only where the saved columns are all of the source's)
            var sw = new StringWriter(); Dumper.Dump(dv, sw, Version(path), !keepHidden, noCols);
            string[] x = got.Split('\n'), y = sw.ToString().Split('\n');
            res = "SAME";
            if (got != sw.ToString())
            {
                int i = 0; while (i < x.Length && i < y.Length && x[i] == y[i]) i++;
                Func<string, string> cut = s => s.Length > 160 ? s.Substring(0, 160) + "..." : s;
                res = "DIFFERS from source at line " + (i + 1) + "\n   read:   " + cut(i < x.Length ? x[i] : "") + "\n   source: " + cut(i < y.Length ? y[i] : "");
            }
        }
        catch (Exception e) { bad++; res = "FAILED " + e.GetBaseException().GetType().Name + ": " + e.GetBaseException().Message; }
        count++;
        long len = File.Exists(path) ? new FileInfo(path).Length : 0;
        Console.WriteLine("{0,-34} {1,9} bytes  {2}", name, len, res);
    }

    static ReadOnlyMemory<char> T(string s) { return s.AsMemory(); }
    static readonly sbyte[] I1 = { 0, 1, -1, sbyte.MinValue, sbyte.MaxValue, 42 };
    static readonly byte[] U1 = { 0, 1, 2, 127, 128, 255 };
    static readonly short[] I2 = { 0, 1, -1, short.MinValue, short.MaxValue, 1000 };
    static readonly ushort[] U2 = { 0, 1, 256, 32767, 32768, 65535 };
    static readonly int[] I4 = { 0, 1, -1, int.MinValue, int.MaxValue, 123456789 };
    static readonly uint[] U4 = { 0, 1, 65536, 2147483647, 2147483648, 4294967295 };
    static readonly long[] I8 = { 0, 1, -1, long.MinValue, long.MaxValue, 1234567890123456789 };
    static readonly ulong[] U8 = { 0, 1, 4294967296, 9223372036854775807, 9223372036854775808, ulong.MaxValue };
    static readonly float[] R4 = { 0f, 1f, -1.5f, float.NaN, float.PositiveInfinity, float.NegativeInfinity, -0f, float.Epsilon, float.MaxValue, float.MinValue, 0.1f, 1e-40f, BitConverter.Int32BitsToSingle(0x7fc12345), BitConverter.Int32BitsToSingle(0x7f800001) };
    static readonly double[] R8 = { 0, 1, -1.5, double.NaN, double.PositiveInfinity, double.NegativeInfinity, -0.0, double.Epsilon, double.MaxValue, double.MinValue, 0.1, 1e-310, BitConverter.Int64BitsToDouble(0x7ff8000000012345), Math.PI };
    static readonly bool[] BL = { false, true, true, false, true, false, false, false, true, true, true };
    static readonly string[] TX = { "", "a", "hello world", "", "\u00e9\u00fc\u00df", "\u65e5\u672c\u8a9e", "\ud83d\ude00\ud83c\udf0d", "tab\there \"quoted\" back\\slash", "line1\nline2\r\n", "\0nul\0", "\u0410\u0411\u0412", "e\u0301", " lead and trail ", "\uffff\ufffe", "\ud801\udc37x" };
    static readonly DateTime[] DT = { new DateTime(0), DateTime.MaxValue, new DateTime(1970, 1, 1), new DateTime(2024, 2, 29, 12, 34, 56, 789), new DateTime(637000000000000001L), new DateTime(2020, 6, 1, 0, 0, 0, DateTimeKind.Utc) };
    static readonly DateTimeOffset[] DZ = { new DateTimeOffset(0, TimeSpan.Zero), new DateTimeOffset(DateTime.MaxValue.Ticks, TimeSpan.Zero), new DateTimeOffset(2019, 7, 4, 1, 2, 3, TimeSpan.FromMinutes(330)), new DateTimeOffset(2019, 7, 4, 1, 2, 3, TimeSpan.FromMinutes(-570)), new DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.FromHours(14)), new DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.FromHours(-14)) };
    static readonly TimeSpan[] TS = { TimeSpan.Zero, TimeSpan.MinValue, TimeSpan.MaxValue, TimeSpan.FromSeconds(1), new TimeSpan(-1), TimeSpan.FromDays(365.25) };
    static readonly DataViewRowId[] RI = { new DataViewRowId(0, 0), new DataViewRowId(1, 0), new DataViewRowId(0, 1), new DataViewRowId(ulong.MaxValue, ulong.MaxValue), new DataViewRowId(0x0123456789abcdef, 0xfedcba9876543210), new DataViewRowId(5, 7) };

    static V At<V>(V[] a, long i) { return a[i % a.Length]; }
    static Col<V> C<V>(string n, DataViewType t, V[] a) { return new Col<V>(n, t, i => At(a, i)); }
    static ReadOnlyMemory<char>[] TXM { get { return TX.Select(T).ToArray(); } }
    static Col[] AllPrims()
    {
        return new Col[] {
            C("i1", NumberDataViewType.SByte, I1), C("u1", NumberDataViewType.Byte, U1), C("i2", NumberDataViewType.Int16, I2), C("u2", NumberDataViewType.UInt16, U2),
            C("i4", NumberDataViewType.Int32, I4), C("u4", NumberDataViewType.UInt32, U4), C("i8", NumberDataViewType.Int64, I8), C("u8", NumberDataViewType.UInt64, U8),
            C("r4", NumberDataViewType.Single, R4), C("r8", NumberDataViewType.Double, R8), C("bl", BooleanDataViewType.Instance, BL), C("tx", TextDataViewType.Instance, TXM),
            C("dt", DateTimeDataViewType.Instance, DT), C("dz", DateTimeOffsetDataViewType.Instance, DZ), C("ts", TimeSpanDataViewType.Instance, TS), C("ri", RowIdDataViewType.Instance, RI) };
    }
    static VectorDataViewType VT(PrimitiveDataViewType t, params int[] d) { return new VectorDataViewType(t, d); }
    static VBuffer<V> Dense<V>(V[] a, long i, int n) { var x = new V[n]; for (int k = 0; k < n; k++) x[k] = At(a, i + k); return new VBuffer<V>(n, x); }
    // sparse with c actives out of n at indices k*step+off
    static VBuffer<V> Sparse<V>(V[] a, long i, int n, params int[] ix) { var x = new V[ix.Length]; for (int k = 0; k < ix.Length; k++) x[k] = At(a, i + k + 1); return new VBuffer<V>(n, ix.Length, x, ix); }
    static Col VC<V>(string n, PrimitiveDataViewType t, V[] a, int size)
    {
        return new Col<VBuffer<V>>(n, VT(t, size), i => i % 3 == 2 && size > 1 ? Sparse(a, i, size, size - 1) : Dense(a, i, size));
    }
    static Col VV<V>(string n, PrimitiveDataViewType t, V[] a)   // variable length, dense and sparse mixed
    {
        return new Col<VBuffer<V>>(n, new VectorDataViewType(t), i => { int len = (int)(i * 7 % 5); return i % 4 == 3 && len > 1 ? Sparse(a, i, len, len - 1) : Dense(a, i, len); });
    }
    static Col[] AllVecs(bool variable)
    {
        Func<string, string> nm = s => (variable ? "vv_" : "v_") + s;
        return new Col[] {
            variable ? VV(nm("i1"), NumberDataViewType.SByte, I1) : VC(nm("i1"), NumberDataViewType.SByte, I1, 3),
            variable ? VV(nm("u1"), NumberDataViewType.Byte, U1) : VC(nm("u1"), NumberDataViewType.Byte, U1, 3),
            variable ? VV(nm("i2"), NumberDataViewType.Int16, I2) : VC(nm("i2"), NumberDataViewType.Int16, I2, 3),
            variable ? VV(nm("u2"), NumberDataViewType.UInt16, U2) : VC(nm("u2"), NumberDataViewType.UInt16, U2, 3),
            variable ? VV(nm("i4"), NumberDataViewType.Int32, I4) : VC(nm("i4"), NumberDataViewType.Int32, I4, 3),
            variable ? VV(nm("u4"), NumberDataViewType.UInt32, U4) : VC(nm("u4"), NumberDataViewType.UInt32, U4, 3),
            variable ? VV(nm("i8"), NumberDataViewType.Int64, I8) : VC(nm("i8"), NumberDataViewType.Int64, I8, 3),
            variable ? VV(nm("u8"), NumberDataViewType.UInt64, U8) : VC(nm("u8"), NumberDataViewType.UInt64, U8, 3),
            variable ? VV(nm("r4"), NumberDataViewType.Single, R4) : VC(nm("r4"), NumberDataViewType.Single, R4, 5),
            variable ? VV(nm("r8"), NumberDataViewType.Double, R8) : VC(nm("r8"), NumberDataViewType.Double, R8, 5),
            variable ? VV(nm("bl"), BooleanDataViewType.Instance, BL) : VC(nm("bl"), BooleanDataViewType.Instance, BL, 5),
            variable ? VV(nm("tx"), TextDataViewType.Instance, TXM) : VC(nm("tx"), TextDataViewType.Instance, TXM, 4),
            variable ? VV(nm("dt"), DateTimeDataViewType.Instance, DT) : VC(nm("dt"), DateTimeDataViewType.Instance, DT, 2),
            variable ? VV(nm("dz"), DateTimeOffsetDataViewType.Instance, DZ) : VC(nm("dz"), DateTimeOffsetDataViewType.Instance, DZ, 2),
            variable ? VV(nm("ts"), TimeSpanDataViewType.Instance, TS) : VC(nm("ts"), TimeSpanDataViewType.Instance, TS, 2),
            variable ? VV(nm("ri"), RowIdDataViewType.Instance, RI) : VC(nm("ri"), RowIdDataViewType.Instance, RI, 2) };
    }
    static ulong Mix(long i) { ulong z = (ulong)i * 0x9E3779B97F4A7C15UL + 0x123456789UL; z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL; z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL; return z ^ (z >> 31); }
    static void VBufText(DataViewSchema.Annotations.Builder b, string kind, params string[] names)
    {
        var v = new VBuffer<ReadOnlyMemory<char>>(names.Length, names.Select(T).ToArray());
        b.Add(kind, new VectorDataViewType(TextDataViewType.Instance, names.Length), (ValueGetter<VBuffer<ReadOnlyMemory<char>>>)((ref VBuffer<ReadOnlyMemory<char>> d) => v.CopyTo(ref d)));
    }
    static void One<V>(DataViewSchema.Annotations.Builder b, string kind, DataViewType t, V val) { b.Add(kind, t, (ValueGetter<V>)((ref V d) => d = val)); }

    static Col[] Many()
    {
        return new Col[] {
            new Col<long>("id", NumberDataViewType.Int64, i => i),
            new Col<float>("x", NumberDataViewType.Single, i => (float)((long)(Mix(i) % 100000) - 50000) / 64f),
            new Col<bool>("b", BooleanDataViewType.Instance, i => (Mix(i) & 1) != 0),
            new Col<ReadOnlyMemory<char>>("t", TextDataViewType.Instance, i => T(i % 10 == 0 ? "" : i % 7 == 0 ? "\u00e9" + i : "row " + i)),
            new Col<VBuffer<float>>("v", new VectorDataViewType(NumberDataViewType.Single), i => { int n = (int)(Mix(i) % 4); var a = new float[n]; for (int k = 0; k < n; k++) a[k] = k + i % 8; return new VBuffer<float>(n, a); }),
            new Col<uint>("k", new KeyDataViewType(typeof(uint), 7), i => (uint)(i % 8)) };
    }

    public static int Run(string d)
    {
        dir = d; Directory.CreateDirectory(d);
        // 1. primitives
        W("prims_none", new MemView(15, AllPrims()), None);
        W("prims_deflate", new MemView(15, AllPrims()), Deflate);
        W("prims_public_api", new MemView(15, AllPrims()), null);
        foreach (var c in AllPrims()) W("one_" + c.Name, new MemView(23, c), None);
        W("bool_8", new MemView(8, C("b", BooleanDataViewType.Instance, BL)), None);
        W("bool_9", new MemView(9, C("b", BooleanDataViewType.Instance, BL)), None);
        // 2. keys
        W("keys_small", new MemView(14,
            new Col<byte>("k1", new KeyDataViewType(typeof(byte), 5), i => (byte)(i % 6)),
            new Col<ushort>("k2", new KeyDataViewType(typeof(ushort), 1000), i => (ushort)(i * 71 % 1001)),
            new Col<uint>("k4", new KeyDataViewType(typeof(uint), 1), i => (uint)(i % 2)),
            new Col<ulong>("k8", new KeyDataViewType(typeof(ulong), 10), i => (ulong)(i % 11))), None);
        W("keys_max_count", new MemView(6,
            new Col<byte>("k1", new KeyDataViewType(typeof(byte), 255), i => At(U1, i)),
            new Col<ushort>("k2", new KeyDataViewType(typeof(ushort), 65535), i => At(U2, i)),
            new Col<uint>("k4", new KeyDataViewType(typeof(uint), 4294967295), i => At(U4, i)),
            new Col<ulong>("k8", new KeyDataViewType(typeof(ulong), ulong.MaxValue), i => At(U8, i))), Deflate);
        W("keys_out_of_range", new MemView(4, new Col<uint>("k", new KeyDataViewType(typeof(uint), 3), i => (uint)(i * 3))), None);
        W("keys_vector", new MemView(9,
            new Col<VBuffer<uint>>("fixed", VT(new KeyDataViewType(typeof(uint), 6), 3), i => i % 2 == 0 ? Dense(new uint[] { 0, 1, 2, 6 }, i, 3) : Sparse(new uint[] { 3, 4 }, i, 3, 1)),
            new Col<VBuffer<byte>>("var", new VectorDataViewType(new KeyDataViewType(typeof(byte), 200)), i => Dense(new byte[] { 0, 1, 200 }, i, (int)(i % 3)))), None);
        // 3. vectors
        W("vec_fixed_all_none", new MemView(10, AllVecs(false)), None);
        W("vec_fixed_all_deflate", new MemView(10, AllVecs(false)), Deflate);
        W("vec_var_all_none", new MemView(11, AllVecs(true)), None);
        W("vec_var_all_deflate", new MemView(11, AllVecs(true)), Deflate);
        W("vec_dense_f32", new MemView(5, new Col<VBuffer<float>>("v", VT(NumberDataViewType.Single, 4), i => new VBuffer<float>(4, new float[] { i, i + .25f, -i, 1f / (i + 1) }))), None);
        W("vec_sparse_f32", new MemView(6, new Col<VBuffer<float>>("v", VT(NumberDataViewType.Single, 1000), i => i == 0 ? new VBuffer<float>(1000, 0, new float[0], new int[0]) : Sparse(new float[] { 1.5f, 2.5f, 0f, 3.5f }, i, 1000, Enumerable.Range(0, (int)i).Select(k => k * 199 + (int)i).ToArray()))), None);
        W("vec_sparse_dense_mix", new MemView(20, new Col<VBuffer<double>>("v", VT(NumberDataViewType.Double, 6), i => i % 3 == 0 ? Dense(R8, i, 6) : i % 3 == 1 ? Sparse(R8, i, 6, 0, 5) : new VBuffer<double>(6, 0, new double[0], new int[0]))), Deflate);
        W("vec_var_equal_lengths", new MemView(5, new Col<VBuffer<float>>("v", new VectorDataViewType(NumberDataViewType.Single), i => Dense(R4, i, 3))), None);
        W("vec_var_all_empty", new MemView(5, new Col<VBuffer<float>>("v", new VectorDataViewType(NumberDataViewType.Single), i => new VBuffer<float>(0, new float[0])), new Col<VBuffer<ReadOnlyMemory<char>>>("t", new VectorDataViewType(TextDataViewType.Instance), i => new VBuffer<ReadOnlyMemory<char>>(0, new ReadOnlyMemory<char>[0]))), None);
        W("vec_multidim", new MemView(4,
            new Col<VBuffer<float>>("m23", VT(NumberDataViewType.Single, 2, 3), i => Dense(new float[] { 1, 2, 3, 4, 5, 6, 7 }, i, 6)),
            new Col<VBuffer<byte>>("img", VT(NumberDataViewType.Byte, 2, 2, 3), i => Dense(U1, i, 12)),
            new Col<VBuffer<int>>("m0x2", VT(NumberDataViewType.Int32, 0, 2), i => Dense(I4, i, (int)(2 * (i % 3))))), None);
        W("vec_text", new MemView(12,
            new Col<VBuffer<ReadOnlyMemory<char>>>("fixed", VT(TextDataViewType.Instance, 3), i => Dense(TXM, i, 3)),
            new Col<VBuffer<ReadOnlyMemory<char>>>("var", new VectorDataViewType(TextDataViewType.Instance), i => Dense(TXM, i, (int)(i % 4))),
            new Col<VBuffer<ReadOnlyMemory<char>>>("sparse", VT(TextDataViewType.Instance, 50), i => Sparse(TXM, i, 50, (int)i, 49))), Deflate);
        W("vec_bool_long", new MemView(7, new Col<VBuffer<bool>>("v", VT(BooleanDataViewType.Instance, 13), i => Dense(BL, i, 13))), None);
        W("vec_size1", new MemView(6, new Col<VBuffer<float>>("v", VT(NumberDataViewType.Single, 1), i => i % 2 == 0 ? new VBuffer<float>(1, new float[] { i }) : new VBuffer<float>(1, 0, new float[0], new int[0]))), None);
        // 4. text
        W("text_all_empty", new MemView(9, new Col<ReadOnlyMemory<char>>("t", TextDataViewType.Instance, i => T(""))), None);
        W("text_nonascii", new MemView(30, C("\u65e5\u672c", TextDataViewType.Instance, TXM), C("na\u00efve \ud83d\ude00", TextDataViewType.Instance, TXM.Reverse().ToArray())), Deflate);
        W("text_long", new MemView(3, new Col<ReadOnlyMemory<char>>("t", TextDataViewType.Instance, i => T(i == 1 ? new string('x', 100000) + "\u00e9\ud83d\ude00" : "s" + i))), None);
        W("text_surrogate_split", new MemView(4, C("t", TextDataViewType.Instance, new[] { T("a\ud83d"), T("\ude00b"), T("c"), T("d") })), None);
        W("text_lone_surrogate", new MemView(3, C("t", TextDataViewType.Instance, new[] { T("a\ud83d"), T("b"), T("\ude00c") })), None);
        // 5. row counts and blocks
        W("rows_0", new MemView(0, AllPrims().Concat(AllVecs(false)).Concat(AllVecs(true)).ToArray()), Deflate);
        W("rows_0_none", new MemView(0, Many()), None);
        W("rows_0_rpb", new MemView(0, Many()), None, rpb: 100, bpb: null);
        W("rows_1", new MemView(1, AllPrims().Concat(AllVecs(false)).Concat(AllVecs(true)).ToArray()), Deflate);
        W("cols_0", new MemView(5, Many()), Deflate, noCols: true);
        W("cols_300", new MemView(3, Enumerable.Range(0, 300).Select(k => (Col)new Col<int>("c" + k, NumberDataViewType.Int32, i => (int)(i * 1000 + k))).ToArray()), Deflate);
        W("many_25000_public_api", new MemView(25000, Many()), null);
        W("many_25000_none", new MemView(25000, Many()), None);
        W("many_25000_rpb1000_det", new MemView(25000, Many()), Deflate, rpb: 1000, det: true);
        W("blocks_exact_multiple", new MemView(4096, Many()), Deflate, rpb: 1024, det: true);
        W("blocks_last_1", new MemView(2049, Many()), None, rpb: 1024, det: false);
        W("blocks_rpb1", new MemView(40, Many()), Deflate, rpb: 1, det: false);
        W("blocks_bytes_4096", new MemView(3000, Many()), Deflate, rpb: null, bpb: 4096, det: true);
        W("blocks_bytes_tiny", new MemView(30, Many()), None, rpb: null, bpb: 1, det: true);
        W("blocks_rows_only", new MemView(3000, Many()), None, rpb: 500, bpb: null, det: true);
        W("blocks_all_types", new MemView(100, AllPrims().Concat(AllVecs(false)).Concat(AllVecs(true)).ToArray()), Deflate, rpb: 7, det: false);
        // 6. annotations
        W("ann_slotnames", new MemView(3, new Col<VBuffer<float>>("v", VT(NumberDataViewType.Single, 3), i => Dense(R4, i, 3)).With(b => VBufText(b, "SlotNames", "first", "", "dritt\u00e9"))), Deflate);
        W("ann_keyvalues_text", new MemView(4, new Col<uint>("k", new KeyDataViewType(typeof(uint), 3), i => (uint)i).With(b => VBufText(b, "KeyValues", "red", "green", "blue")), new Col<int>("plain", NumberDataViewType.Int32, i => (int)i)), Deflate);
        W("ann_keyvalues_big", new MemView(4, new Col<uint>("k", new KeyDataViewType(typeof(uint), 2000), i => (uint)(i * 500)).With(b => VBufText(b, "KeyValues", Enumerable.Range(0, 2000).Select(k => "value number " + k).ToArray()))), Deflate);
        W("ann_keyvalues_big_none", new MemView(4, new Col<uint>("k", new KeyDataViewType(typeof(uint), 2000), i => (uint)(i * 500)).With(b => VBufText(b, "KeyValues", Enumerable.Range(0, 2000).Select(k => "value number " + k).ToArray()))), None);
        W("ann_all_types", new MemView(2, new Col<int>("c", NumberDataViewType.Int32, i => (int)i).With(b =>
        {
            One(b, "i1", NumberDataViewType.SByte, (sbyte)-5); One(b, "u1", NumberDataViewType.Byte, (byte)200); One(b, "i2", NumberDataViewType.Int16, (short)-300); One(b, "u2", NumberDataViewType.UInt16, (ushort)60000);
            One(b, "i4", NumberDataViewType.Int32, -70000); One(b, "u4", NumberDataViewType.UInt32, 4000000000u); One(b, "i8", NumberDataViewType.Int64, long.MinValue); One(b, "u8", NumberDataViewType.UInt64, ulong.MaxValue);
            One(b, "r4", NumberDataViewType.Single, 0.1f); One(b, "r8", NumberDataViewType.Double, 0.1); One(b, "IsNormalized", BooleanDataViewType.Instance, true); One(b, "tx", TextDataViewType.Instance, T("caf\u00e9"));
            One(b, "dt", DateTimeDataViewType.Instance, DT[3]); One(b, "dz", DateTimeOffsetDataViewType.Instance, DZ[2]); One(b, "ts", TimeSpanDataViewType.Instance, TS[5]); One(b, "ri", RowIdDataViewType.Instance, RI[4]);
            One(b, "key", new KeyDataViewType(typeof(uint), 9), 4u); One(b, "vr4", VT(NumberDataViewType.Single, 2, 2), Dense(R4, 0, 4)); One(b, "sparse", VT(NumberDataViewType.Int32, 100), Sparse(I4, 0, 100, 7, 77)); One(b, "var", new VectorDataViewType(NumberDataViewType.Int64), Dense(I8, 1, 3));
        })), Deflate);
        // 7. ML.NET transforms
        var rows = Enumerable.Range(0, 60).Select(i => new IrisRow { A = i % 7 == 3 ? float.NaN : i * 0.5f, B = (float)Math.Sin(i), Cat = new[] { "red", "gr\u00fcn", "", "blue" }[i / 3 % 4], Text = i % 9 == 0 ? "" : "the quick brown fox number " + i % 5, Label = i % 3 == 0, N = i - 30 }).ToArray();
        var data = ml.Data.LoadFromEnumerable(rows);
        W("tr_enumerable", data, null);
        W("tr_map_value_to_key", Fit(ml.Transforms.Conversion.MapValueToKey("Key", "Cat"), data), null);
        W("tr_map_int_to_key", Fit(ml.Transforms.Conversion.MapValueToKey("Key", "N"), data), null);
        W("tr_one_hot", Fit(ml.Transforms.Categorical.OneHotEncoding("Hot", "Cat"), data), null);
        W("tr_one_hot_bag_binary", Fit(ml.Transforms.Categorical.OneHotEncoding(new[] { new InputOutputColumnPair("Cat") }, OneHotEncodingEstimator.OutputKind.Binary), data), null, keepHidden: true);
        W("tr_concat", Fit(ml.Transforms.Concatenate("Features", "A", "B"), data), null);
        W("tr_concat_onehot", Fit(ml.Transforms.Categorical.OneHotEncoding("Hot", "Cat").Append(ml.Transforms.Concatenate("Features", "A", "B", "Hot")), data), null);
        W("tr_normalize_minmax", Fit(ml.Transforms.Concatenate("Features", "B", "B").Append(ml.Transforms.NormalizeMinMax("Features")), data), null);
        W("tr_normalize_keephidden", Fit(ml.Transforms.Concatenate("Features", "B", "B").Append(ml.Transforms.NormalizeMinMax("Features")), data), null, keepHidden: true);
        W("tr_tokenize_words", Fit(ml.Transforms.Text.TokenizeIntoWords("Words", "Text"), data), null);
        W("tr_tokenize_keys", Fit(ml.Transforms.Text.TokenizeIntoWords("Words", "Text").Append(ml.Transforms.Conversion.MapValueToKey("Words")), data), null);
        W("tr_featurize_text", Fit(ml.Transforms.Text.FeaturizeText("Feat", "Text"), data), null);
        W("tr_scores", Score(data), null, keepHidden: true);
        // 8. hidden
        var hid = new MemView(5, new Col<int>("x", NumberDataViewType.Int32, i => (int)i), new Col<float>("y", NumberDataViewType.Single, i => i), new Col<ReadOnlyMemory<char>>("x", TextDataViewType.Instance, i => T("shadow" + i)));
        W("hidden_kept", hid, null, keepHidden: true);
        W("hidden_dropped", hid, null, keepHidden: false);
        Console.WriteLine("{0} files, {1} failed", count, bad);
        return bad == 0 ? 0 : 1;
    }
    static IDataView Fit(IEstimator<ITransformer> e, IDataView d) { return e.Fit(d).Transform(d); }
    static IDataView Score(IDataView d)
    {
        var p = ml.Transforms.Concatenate("Features", "B").Append(ml.BinaryClassification.Trainers.SgdCalibrated(numberOfIterations: 3));
        return p.Fit(d).Transform(d);
    }
    public static int Bench(string d)
    {
        Directory.CreateDirectory(d);
        Func<MemView> mk = () => new MemView(200000,
            new Col<VBuffer<float>>("Features", VT(NumberDataViewType.Single, 64), i => { var a = new float[64]; ulong z = Mix(i); for (int k = 0; k < 64; k++) { z = z * 6364136223846793005UL + 1442695040888963407UL; a[k] = (float)(z >> 40) / 16777216f; } return new VBuffer<float>(64, a); }),
            new Col<ReadOnlyMemory<char>>("Text", TextDataViewType.Instance, i => T("user-" + Mix(i) % 100000 + " visited page " + i % 977)),
            new Col<long>("Id", NumberDataViewType.Int64, i => i),
            new Col<uint>("Cat", new KeyDataViewType(typeof(uint), 100), i => (uint)(Mix(i) % 101)).With(b => VBufText(b, "KeyValues", Enumerable.Range(0, 100).Select(k => "cat" + k).ToArray())));
        foreach (var c in new[] { Deflate, None })
        {
            var sw = Stopwatch.StartNew(); string path = Path.Combine(d, "bench_" + c.ToLowerInvariant() + ".idv");
            Save(mk(), path, c, 1 << 13, 80 << 20, true, false, false);
            Console.WriteLine("{0} {1} bytes, written in {2:F2} s", path, new FileInfo(path).Length, sw.Elapsed.TotalSeconds);
        }
        return 0;
    }
}

static class P
{
    static int Usage() { Console.Error.WriteLine("usage: idvtool gen DIR | genbench DIR | dump FILE | dumps DIR FILE... | check FILE | bench FILE | benchwrite FILE OUT COMPRESSION | info"); return 2; }
    static string Msg(Exception e) { var l = new List<string>(); for (; e != null; e = e.InnerException) l.Add(e.GetType().Name + ": " + e.Message.Replace("\r", "").Replace("\n", " | ")); return string.Join(" <- ", l); }
    static int Main(string[] a)
    {
        if (a.Length == 0) return Usage();
        var ml = new MLContext(1);
        try
        {
            switch (a[0])
            {
                case "info":
                    Console.WriteLine("runtime: " + System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription);
                    Console.WriteLine("Microsoft.ML.Data.dll: " + FileVersionInfo.GetVersionInfo(typeof(MLContext).Assembly.Location).ProductVersion);
                    return 0;
                case "gen": return Gen.Run(a[1]);
                case "genbench": return Gen.Bench(a[1]);
                case "dump":
                    {
                        var w = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 16);
                        Dumper.Dump(ml.Data.LoadFromBinary(a[1]), w, Gen.Version(a[1])); w.Flush(); return 0;
                    }
                case "dumps":
                    {
                        for (int k = 2; k < a.Length; k++)
                        {
                            var w = new StringWriter();
                            try
                            {
                                var dv = ml.Data.LoadFromBinary(a[k]);
                                Dumper.Dump(dv, w, Gen.Version(a[k]));
                                (dv as IDisposable)?.Dispose();
                            }
                            catch (Exception e)
                            {
                                var b = new StringBuilder("{\"refused\":"); J.Str(b, Msg(e)); b.Append("}\n");
                                w = new StringWriter(b);
                            }
                            File.WriteAllText(Path.Combine(a[1], (k - 2) + ".json"), w.ToString(), new UTF8Encoding(false));
                        }
                        return 0;
                    }
                case "check":
                    {
                        int rc = 0;
                        foreach (var f in a.Skip(1))
                        {
                            try
                            {
                                var dv = ml.Data.LoadFromBinary(f);
                                Array dead = (Array)dv.GetType().GetField("_deadColumns", BindingFlags.NonPublic | BindingFlags.Instance).GetValue(dv);
                                long n = Dumper.Dump(dv, TextWriter.Null, null);
                                long? rcnt = dv.GetRowCount();
                                (dv as IDisposable)?.Dispose();
                                Console.WriteLine("OK {0} columns={1} rows={2}{3}{4}", f, dv.Schema.Count, n, n == rcnt ? "" : " HEADER_ROWS=" + rcnt, dead.Length > 0 ? " unreadable_columns=" + dead.Length : "");
                            }
                            catch (Exception e) { rc = 1; Console.WriteLine("FAIL {0} {1}", f, Msg(e)); }
                        }
                        return rc;
                    }
                case "bench":
                    {
                        var times = new List<double>(); long n = 0;
                        for (int k = 0; k < 6; k++)
                        {
                            var sw = Stopwatch.StartNew(); var dv = ml.Data.LoadFromBinary(a[1]); n = Dumper.ReadAll(dv); double t = sw.Elapsed.TotalSeconds; (dv as IDisposable)?.Dispose();
                            if (k == 0) Console.WriteLine("first (with JIT) {0:F4} s", t); else { times.Add(t); Console.WriteLine("pass {0} {1:F4} s", k, t); }
                        }
                        times.Sort(); double m = times[2]; long len = new FileInfo(a[1]).Length;
                        Console.WriteLine("median of 5: {0:F4} s, {1} rows, {2:F0} rows/s, file {3} bytes, {4:F1} MB/s of file", m, n, n / m, len, len / m / 1e6);
                        return 0;
                    }
                case "benchwrite":
                    {
                        var held = ml.Data.Cache(ml.Data.LoadFromBinary(a[1]));
                        Dumper.ReadAll(held);
                        for (int k = 0; k < 6; k++)
                        {
                            var sw = Stopwatch.StartNew(); Gen.Save(held, a[2], a[3], 1 << 13, 80 << 20, true, false, false); double t = sw.Elapsed.TotalSeconds;
                            if (k == 0) Console.WriteLine("first (with JIT) {0:F4} s", t); else Console.WriteLine("pass {0} {1:F4} s", k, t);
                        }
                        return 0;
                    }
                default: return Usage();
            }
        }
        catch (Exception e) { Console.Error.WriteLine("FAIL " + Msg(e)); if (Environment.GetEnvironmentVariable("IDV_TRACE") != null) Console.Error.WriteLine(e); return 1; }
    }
}
