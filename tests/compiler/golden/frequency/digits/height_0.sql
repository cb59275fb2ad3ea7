/* kanon: trie digits of country */
CREATE TABLE "kanon_digits_country" AS
SELECT
  t."ground" AS ground
FROM "kanon_map_country" AS t
