/* kanon: ground values of zip that no row holds */
SELECT
  COUNT(*) AS unused
FROM "kanon_map_zip" AS t
WHERE
  NOT t."level_0" IS NULL
  AND NOT EXISTS(
    SELECT
      1
    FROM (
      SELECT
        *
      FROM "warehouse"."main"."patients"
      WHERE
        admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
    ) AS s
    WHERE
      s."zip" = t."level_0"
  )
