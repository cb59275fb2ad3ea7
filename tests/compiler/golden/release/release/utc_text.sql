/* kanon: release seen=0 */
WITH violating AS (
  SELECT
    m0."level_0" AS qi_0
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_seen" AS m0
    ON s."seen" IS NOT DISTINCT FROM m0."level_0"
  GROUP BY
    m0."level_0"
  HAVING
    COALESCE(COUNT(*) < 5, TRUE)
)
SELECT
  CASE
    WHEN ISFINITE(m0."level_0")
    THEN CAST(m0."level_0" AT TIME ZONE 'UTC' AS TEXT) || '+00'
    ELSE CAST(m0."level_0" AS TEXT)
  END AS "seen",
  CASE
    WHEN ISFINITE(s."left")
    THEN CAST(s."left" AT TIME ZONE 'UTC' AS TEXT) || '+00'
    ELSE CAST(s."left" AS TEXT)
  END AS "left"
FROM "warehouse"."main"."patients" AS s
JOIN "kanon_map_seen" AS m0
  ON s."seen" IS NOT DISTINCT FROM m0."level_0"
ANTI JOIN violating AS c
  ON m0."level_0" IS NOT DISTINCT FROM c.qi_0
ORDER BY
  HASH(MD5_NUMBER(CONCAT($shuffle_key, CAST(UUID() AS TEXT))))
