/* kanon: example of t”; drop table patients; -- */
WITH commonest AS (
  SELECT
    s."t""; drop table patients; --" AS ground_value,
    COUNT(*) AS row_count
  FROM (
    SELECT
      *
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    LIMIT 100000
  ) AS s
  WHERE
    NOT s."t""; drop table patients; --" IS NULL
  GROUP BY
    s."t""; drop table patients; --"
  HAVING
    COUNT(DISTINCT s."per""son") >= 5
  ORDER BY
    row_count DESC,
    ground_value
  LIMIT 1
)
SELECT
  CAST(c.ground_value AS TEXT) AS before,
  CAST(t."level_1" AS TEXT) AS after
FROM commonest AS c
JOIN "kanon_map_t""; drop table patients; --" AS t
  ON c.ground_value IS NOT DISTINCT FROM t."level_0"
