/** Words that make a key personal wherever they stand in it, and keys that are personal as a whole. */
const personalWords = new Set(
  (
    'id ids uid uuid guid email mail phone telephone tel msisdn mobile username login nickname gender sex age ' +
    'birthday birthdate birth dob born idfa idfv gaid adid ip ipv4 ipv6 token ssn passport address street surname'
  ).split(' '),
);
const personalKeys = new Set('name firstname lastname fullname middlename advertisingid ipaddress'.split(' '));
const personalEndings = /(userid|customerid|profileid|deviceid|accountid|advertisingid|username|email|birthday)$/;

/** Whether a custom attribute may name or describe a person by its key (`userId`, `E-Mail`, `age`): never a feature. */
export function isPersonalKey(key: string): boolean {
  const words = key
    .normalize('NFKC')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
  const whole = words.join('');
  return personalKeys.has(whole) || personalEndings.test(whole) || words.some((word) => personalWords.has(word));
}
