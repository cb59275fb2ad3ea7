/* kanon: time zones */
SELECT DISTINCT
  name
FROM PG_TIMEZONE_NAMES()
ORDER BY
  name
