/* kanon: trie digits of country */
CREATE TABLE "kanon_digits_country" AS
SELECT
  "ground" AS ground
FROM "kanon_map_country"
