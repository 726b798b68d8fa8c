/** What a person sees who opens the simulator in a browser. */
export const helpPage = (url: string): string => `<!doctype html>
<meta charset="utf-8"><title>Store simulator</title>
<style>body{font:15px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{background:#f4f4f4;padding:.8rem;overflow:auto}</style>
<h1>Store simulator</h1>
<p>App Store, Google Play and Stripe on this machine. Every call is in docs/simulator.md.</p>
<pre>
GET    /clock                                   the time, and how far it is ahead
POST   /clock/advance {"by":"P31D"}             moves the clock of every service
POST   /app-store/purchases {"productId","price","currency",…}
POST   /play-store/purchases {"productId","basePlanId","price","currency",…}
POST   /stripe/subscriptions {"priceId","amount","currency",…}
POST   /stripe/payments {"priceId","amount","currency",…}
GET    /{app-store|play-store|stripe}/purchases/{id}
POST   /{app-store|play-store|stripe}/purchases/{id}/{action}
POST   /faults {"store","kind","count"}         GET shows them, DELETE ends them
POST   /app-store/certificates {"certificate","status"}  good, revoked or unknown; GET shows them
GET    /journal                                 calls and notifications, newest last; ?kind=, store=, limit=
POST   /apps {"appId","bundleId","packageName","gateway"}  registers one; GET lists them
</pre>
<pre>curl -s ${url}/app-store/purchases -d '{"productId":"stillwater.premium.monthly","price":9.99,"currency":"USD"}'
curl -s ${url}/clock/advance -d '{"by":"P31D"}'
curl -s ${url}/journal</pre>
`;
