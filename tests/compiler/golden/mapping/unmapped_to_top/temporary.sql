/* kanon: unmapped values of seen at the top */
CREATE OR REPLACE TEMPORARY TABLE "kanon_map_seen" AS
SELECT
  t.ground,
  CASE
    WHEN ISFINITE(t.level_0)
    THEN CAST(t.level_0 AT TIME ZONE 'UTC' AS TEXT) || '+00'
    ELSE CAST(t.level_0 AS TEXT)
  END AS level_0,
  t."level_1"
FROM "kanon_map_seen" AS t
UNION ALL
SELECT
  s."seen",
  '*',
  '*'
FROM "warehouse"."main"."patients" AS s
LEFT JOIN "kanon_map_seen" AS t
  ON s."seen" = t.ground
WHERE
  NOT s."seen" IS NULL AND t."level_1" IS NULL
GROUP BY
  s."seen"
