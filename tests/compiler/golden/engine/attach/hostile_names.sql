ATTACH 'it''s; drop.duckdb' AS "ware""house" (READ_ONLY FALSE, TYPE DUCKDB)
