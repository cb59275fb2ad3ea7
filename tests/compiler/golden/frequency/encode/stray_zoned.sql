/* kanon: frequency set */
CREATE TABLE "kanon_strays" AS
WITH tuples AS (
  SELECT
    s."seen" AS qi_0,
    COUNT(*) AS n
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."seen"
), encoded AS (
  SELECT
    c0.code_0 AS key_0,
    s.n
  FROM tuples AS s
  JOIN "kanon_codes_seen" AS c0
    ON s."qi_0" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_map_seen" AS g
    ON s."qi_0" IS NOT DISTINCT FROM g.ground
  WHERE
    NOT g.ground IS NULL
    AND g.level_0 IS DISTINCT FROM CASE
      WHEN ISFINITE(g.ground)
      THEN CAST(g.ground AT TIME ZONE 'UTC' AS TEXT) || '+00'
      ELSE CAST(g.ground AS TEXT)
    END
)
SELECT
  key_0,
  CAST(SUM(n) AS BIGINT) AS n
FROM encoded
GROUP BY
  key_0
