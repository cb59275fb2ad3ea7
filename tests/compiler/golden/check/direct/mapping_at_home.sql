/* kanon: check zip=1 */
WITH violating AS (
  SELECT
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients" AS s
  JOIN "ware house"."s"""."kanon_map_zip" AS m0
    ON s."zip" IS NOT DISTINCT FROM m0."level_0"
  GROUP BY
    m0."level_1"
  HAVING
    COALESCE(COUNT(*) < 5, TRUE)
)
SELECT
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS outliers,
  COUNT(*) AS violating_classes
FROM violating
