const idOfProfile = `node -p 'JSON.parse(require("fs").readFileSync(0)).data.profileId'`;

/** The README's first requests, to paste into a shell: a profile in the demo app, and the paywall for it. */
export function sampleRequests(gateway: string, secretKey: string): string {
  const headers = `-H "Authorization: $KEY" -H 'Content-Type: application/json'`;
  return [
    `KEY=${secretKey}`,
    `PROFILE=$(curl -s ${gateway}/api/v1/web-api/profiles ${headers} \\`,
    `  -d '{"customerUserId": "anna", "country": "DE", "device": "Pixel 9", "os": "Android 15", "platform": "android"}' |`,
    `  ${idOfProfile})`,
    `curl -s ${gateway}/api/v1/web-api/paywalls ${headers} \\`,
    `  -d "{\\"profileId\\": \\"$PROFILE\\", \\"placementId\\": \\"onboarding\\"}"`,
  ].join('\n');
}
