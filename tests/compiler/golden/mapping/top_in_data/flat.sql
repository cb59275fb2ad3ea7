/* kanon: top label of zip in the data */
SELECT
  COUNT(*) AS row_count
FROM "warehouse"."main"."patients" AS s
WHERE
  CAST(s."zip" AS TEXT) = '*'
