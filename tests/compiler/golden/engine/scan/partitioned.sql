READ_PARQUET('out/**/*.parquet', hive_partitioning = TRUE, hive_types = {'sex': 'VARCHAR', 'a"b': 'DATE'})
