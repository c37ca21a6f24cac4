"""SQLite by the module sqlite3 of Python: files, whether it takes them, and what it reads in them."""

import contextlib
import os
import random
import sqlite3

SUFFIX = "db"


def make(path, number):
    rng = random.Random(number)
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute(f"pragma page_size = {[512, 1024, 4096, 65536][number % 4]}")
        base.execute(f"pragma user_version = {number}")
        base.execute(f"pragma encoding = '{['UTF-8', 'UTF-16le', 'UTF-16be'][number % 3]}'")
        base.execute("create table t(a integer primary key, b text, c blob, d real)")
        base.execute("create index by_b on t(b)")
        row = lambda: ("x" * rng.randrange(40), rng.randbytes(rng.randrange(number % 100 * 20 + 1)), rng.random())
        base.executemany("insert into t(b, c, d) values(?, ?, ?)", [row() for _ in range(number % 100 * 3)])
        if number % 5 == 0:
            base.execute("delete from t where a % 2 = 0")
        base.commit()


def tiny(path):
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute("pragma page_size = 512")
        base.execute("create table t(a)")
        base.execute("insert into t values(7)")
        base.commit()


def read(path):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as base:
        assert base.execute("pragma integrity_check").fetchall() == [("ok",)]
        fact = lambda name: base.execute(f"pragma {name}").fetchone()[0]
        values = {
            "page_count": fact("page_count"),
            "free_pages": fact("freelist_count"),
            "user_version": fact("user_version"),
            "schema_cookie": fact("schema_version"),
        }
        names = {"leaf": 13, "internal": 5}
        try:
            pages = base.execute("select pageno, pagetype, ncell from dbstat where name = 't' and pageno > 1").fetchall()
        except sqlite3.OperationalError:
            pages = []  # This build has no dbstat.
        for page, kind, cells in pages:
            if page < 66 and kind in names:
                values[f"pages[{page - 2}].kind"] = names[kind]
                values[f"pages[{page - 2}].count"] = cells
    return values
