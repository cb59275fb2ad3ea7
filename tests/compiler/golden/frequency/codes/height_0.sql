/* kanon: trie codes of country */
CREATE TABLE "kanon_codes_country" AS
SELECT
  ground
FROM "kanon_digits_country"
