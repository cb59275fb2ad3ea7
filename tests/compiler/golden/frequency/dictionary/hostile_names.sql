/* kanon: values of * / drop table x; / * */
CREATE TABLE "kanon_values_*/ drop table x; /*" AS
SELECT
  d.ground,
  ROW_NUMBER() OVER (ORDER BY d.ground ASC) - 1 AS value,
  d.n,
  d.mass,
  d.total
FROM (
  SELECT
    s."*/ drop table x; /*" AS ground,
    s."*/ drop table x; /*" AS value,
    COUNT(DISTINCT s."per""son") AS n,
    CAST(SUM(COUNT(DISTINCT s."per""son")) OVER () AS BIGINT) AS mass,
    (
      SELECT
        COUNT(DISTINCT s."per""son")
      FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    ) AS total
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  GROUP BY
    s."*/ drop table x; /*"
) AS d
