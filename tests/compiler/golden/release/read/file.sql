SELECT
  *
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
