/* kanon: top label of zip in the data */
SELECT
  COUNT(*) AS row_count
FROM "warehouse"."main"."patients" AS s
WHERE
  CAST(s."zip" AS TEXT) = '*'
  AND NOT EXISTS(
    SELECT
      1
    FROM "kanon_map_zip" AS t
    WHERE
      t."level_0" = s."zip"
  )
