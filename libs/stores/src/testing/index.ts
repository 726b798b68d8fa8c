export * from './app-store-api-server.ts';
export * from './app-store-bearer.ts';
export * from './app-store-payloads.ts';
export * from './app-store-pki.ts';
export {
  makeAppStoreChain,
  type AppStoreChain,
  type CertificateOptions,
  type OcspSigner,
} from './app-store-certificates.ts';
export * from './loopback-server.ts';
export * from './ocsp-answer.ts';
export * from './ocsp-responder.ts';
export * from './play-api-server.ts';
export * from './play-assertion.ts';
export * from './play-purchases.ts';
export * from './play-push.ts';
export * from './stripe-answer.ts';
export * from './stripe-api-server.ts';
export * from './stripe-objects.ts';
export * from './stripe-purchases.ts';
export * from './stripe-webhook.ts';
