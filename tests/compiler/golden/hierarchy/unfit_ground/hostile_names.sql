/* kanon: ground values of a hierarchy that the column cannot hold */
WITH ground_values AS (
  SELECT
    CAST(h."a""b" AS TEXT) AS ground,
    TRY_CAST(h."a""b" AS INT) IS NULL AS unfit
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
  WHERE
    NOT h."a""b" IS NULL
)
SELECT
  ground,
  COUNT(*) OVER () AS total,
  (
    SELECT
      COUNT(*)
    FROM ground_values
  ) AS ground_values
FROM ground_values
WHERE
  unfit
ORDER BY
  ground
LIMIT $shown
-- $shown = 5
