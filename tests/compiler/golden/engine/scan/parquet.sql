READ_PARQUET('data/it''s/*.parquet', hive_partitioning = FALSE)
