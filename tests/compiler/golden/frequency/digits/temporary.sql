/* kanon: trie digits of zip */
CREATE TEMPORARY TABLE "kanon_digits_zip" AS
SELECT
  "level_0" AS ground,
  DENSE_RANK() OVER (PARTITION BY "level_1" ORDER BY "level_0") - 1 AS digit_0,
  DENSE_RANK() OVER (PARTITION BY "level_2" ORDER BY "level_1") - 1 AS digit_1
FROM "kanon_map_zip"
