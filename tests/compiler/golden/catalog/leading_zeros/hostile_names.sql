/* kanon: leading zeros */
SELECT
  COALESCE(BOOL_OR(CAST(REGEXP_MATCHES("age", '^[+-]?0[0-9]') AS BOOLEAN)), FALSE),
  COALESCE(BOOL_OR(CAST(REGEXP_MATCHES("a""b", '^[+-]?0[0-9]') AS BOOLEAN)), FALSE)
FROM READ_CSV(
  'data/visits.csv',
  auto_detect = FALSE,
  header = FALSE,
  skip = 1,
  delim = ';',
  quote = '''',
  escape = '\',
  nullstr = '',
  allow_quoted_nulls = FALSE,
  dateformat = '%d.%m.%Y',
  timestampformat = '%d.%m.%Y %H:%M',
  "columns" = {'age': 'INTEGER', 'it''s; zip': 'VARCHAR'}
)
