/** Every route of the REST API, as method and path. */
export const restRoutes = [
  ['POST', '/api/v1/web-api/profiles'],
  ['POST', '/api/v1/web-api/profiles/custom-attributes'],
  ['PUT', '/api/v1/web-api/profiles/custom-attributes'],
  ['POST', '/api/v1/web-api/profiles/custom-attributes-all'],
  ['POST', '/api/v1/web-api/paywalls'],
  ['POST', '/api/v1/web-api/events'],
  ['POST', '/api/v1/web-api/purchases/apple-store/validate'],
  ['POST', '/api/v1/web-api/purchases/play-store/validate'],
  ['POST', '/v2/profiles'],
  ['POST', '/v2/custom-attributes'],
  ['POST', '/v2/paywall'],
] as const;
