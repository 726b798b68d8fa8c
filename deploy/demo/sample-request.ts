/** A `curl` to paste: creates a profile in the demo app. */
export function sampleRequest(gateway: string, secretKey: string): string {
  const profile = { country: 'US', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios', appVersion: '1.0.0' };
  const headers = `-H 'Authorization: ${secretKey}' -H 'Content-Type: application/json'`;
  return `curl -s ${gateway}/v2/profiles ${headers} -d '${JSON.stringify(profile)}'`;
}
