/* kanon: odd values of weight */
SELECT
  COUNT(*) FILTER(WHERE
    s."weight" IS NULL) AS null_rows,
  COUNT(*) FILTER(WHERE
    NOT ISFINITE(s."weight") OR ABS(s."weight") > 8e307) AS infinite_rows
FROM READ_PARQUET('data/it''s/*.parquet', hive_partitioning = FALSE) AS s
