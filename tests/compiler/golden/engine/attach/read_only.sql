ATTACH 'warehouse.duckdb' AS "warehouse" (READ_ONLY TRUE, TYPE DUCKDB)
