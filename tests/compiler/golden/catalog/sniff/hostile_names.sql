/* kanon: sniff the CSV file */
SELECT
  "Delimiter" AS delimiter,
  "Quote" AS quote,
  "Escape" AS escape,
  CAST("SkipRows" AS BIGINT) AS skip,
  "HasHeader" AS header,
  LIST_TRANSFORM("Columns", LAMBDA c : c.name) AS names,
  LIST_TRANSFORM("Columns", LAMBDA c : c.type) AS types,
  CAST("DateFormat" AS TEXT) AS date_format,
  CAST("TimestampFormat" AS TEXT) AS timestamp_format
FROM SNIFF_CSV('it''s; drop.csv', sample_size = -1, comment = '', allow_quoted_nulls = FALSE)
