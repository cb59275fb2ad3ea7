/* kanon: class sizes age=2, zip=1 */
WITH satisfying AS (
  SELECT
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
  GROUP BY
    m0."level_2",
    m1."level_1"
  HAVING
    NOT (
      COALESCE(COUNT(DISTINCT s."patient_id") < 5, TRUE)
    )
)
SELECT
  row_count AS size,
  COUNT(*) AS classes,
  CAST(SUM(row_count) AS BIGINT) AS row_count
FROM satisfying
GROUP BY
  row_count
ORDER BY
  size
