#!/bin/bash -eu
# ClusterFuzzLite builds what OSS-Fuzz builds.
exec "$SRC/ndbytes/oss-fuzz/build.sh"
