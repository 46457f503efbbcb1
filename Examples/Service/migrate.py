"""Creates the table of the shop, if it is missing: migrate.py DATABASE."""

import sqlite3
import sys

with sqlite3.connect(sys.argv[1]) as store:
    store.execute("CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
