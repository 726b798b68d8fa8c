import assert from 'node:assert/strict';
import { device, newProfileId, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, eventually, invalid, refused } from '../expectations.ts';
import { createApp } from '../preparation.ts';
import { appStorePath, appStorePurchase } from '../purchases.ts';
import { routes } from '../routes.ts';

const authentication = section('decisions.md: authentication');

export const authenticationCases = [
  authentication.withKey('The raw secret key in Authorization', async (app) => {
    accepted(await app.v1('/profiles', device, { authorization: app.key }), 201);
  }),
  authentication.withKey('A key that is absent, empty or unknown: 401 INVALID_API_KEY', async (app) => {
    for (const authorization of [
      undefined,
      '',
      'unknown',
      `${app.key}x`,
      app.key.slice(0, -1),
      app.key.toUpperCase() + 'X',
    ])
      for (const { method, path } of routes)
        refused(await app.call(method, path, {}, { authorization }), 401, 'INVALID_API_KEY');
  }),
  authentication.withKey('A key with any scheme prefix (Bearer …): 401 INVALID_API_KEY', async (app) => {
    for (const scheme of ['Bearer', 'bearer', 'Basic', 'Key', 'Api-Key'])
      refused(await app.v1('/profiles', device, { authorization: `${scheme} ${app.key}` }), 401, 'INVALID_API_KEY');
  }),
  authentication.withAdmin('A public key: 401 INVALID_API_KEY', async ({ app, publicKey }) => {
    refused(await app.v1('/profiles', device, { authorization: publicKey }), 401, 'INVALID_API_KEY');
  }),
  authentication.withAdmin('A revoked key: 401 INVALID_API_KEY', async ({ admin, app }) => {
    const { id } = await createApp(admin);
    const { key, id: keyId } = accepted(await admin.post(`/apps/${id}/keys`, { kind: 'secret' }), 201);
    accepted(await app.v1('/profiles', device, { authorization: key }), 201);
    accepted(await admin.delete(`/apps/${id}/keys/${keyId}`), 200);
    await eventually(
      'the refusal of a revoked key',
      async () => {
        const answer = await app.v1('/profiles', device, { authorization: key });
        return answer.status === 401 ? refused(answer, 401, 'INVALID_API_KEY') : null;
      },
      5_000,
    );
  }),
  authentication.withAdmin('Admin tokens open nothing in the REST API', async ({ admin, app }) => {
    for (const authorization of [admin.token, `Bearer ${admin.token}`])
      refused(await app.v1('/profiles', device, { authorization }), 401, 'INVALID_API_KEY');
  }),
  authentication.withAdmin('A profile of another app: 404, as if it did not exist', async ({ app, otherApp }) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    const custom = { key: 'goal', value: 'sleep' };
    for (const who of [{ profileId }, { customerUserId }]) {
      refused(await otherApp.v1('/profiles/custom-attributes', { ...who, custom }), 404, 'PROFILE_NOT_FOUND');
      refused(
        await otherApp.v1('/profiles/custom-attributes-all', { ...who, custom: [custom] }),
        404,
        'PROFILE_NOT_FOUND',
      );
      refused(await otherApp.v1('/paywalls', { ...who, placementId: 'plain' }), 404, 'PROFILE_NOT_FOUND');
      refused(await otherApp.v1('/events', [{ ...who, eventType: 'opened' }]), 404, 'PROFILE_NOT_FOUND');
    }
    refused(await otherApp.v2('/paywall', { profileId, placementId: 'plain' }), 404, 'PROFILE_NOT_FOUND');
    refused(await otherApp.v2('/custom-attributes', { profileId, custom: [custom] }), 404, 'PROFILE_NOT_FOUND');
  }),
  authentication.withAdmin('The same customer user id in two apps is two profiles', async ({ app, otherApp }) => {
    const customerUserId = someone();
    const here = await newProfileId(app, { customerUserId });
    assert.notEqual(await newProfileId(otherApp, { customerUserId }), here);
  }),
  authentication.withAdmin('An attribute of another profile: 404 ATTRIBUTE_NOT_FOUND', async ({ app }) => {
    const [mine, theirs] = [await newProfileId(app), await newProfileId(app)];
    const { id } = accepted(
      await app.v1('/profiles/custom-attributes', { profileId: theirs, custom: { key: 'a', value: 'b' } }),
    );
    const change = { profileId: mine, attrId: id, custom: { key: 'a', value: 'c' } };
    refused(await app.v1Put('/profiles/custom-attributes', change), 404, 'ATTRIBUTE_NOT_FOUND');
  }),
  authentication.withKey(
    'Every profile-scoped request carries at least one of profileId and customerUserId',
    async (app) => {
      const custom = { key: 'goal', value: 'sleep' };
      invalid(await app.v1('/profiles/custom-attributes', { custom }), 'profileId');
      invalid(await app.v1Put('/profiles/custom-attributes', { custom, attrId: 'x' }), 'profileId');
      invalid(await app.v1('/profiles/custom-attributes-all', { custom: [custom] }), 'profileId');
      invalid(await app.v1('/paywalls', { placementId: 'plain' }), 'profileId');
      invalid(await app.v1('/events', [{ eventType: 'opened' }]), 'profileId');
      invalid(await app.v1(appStorePath, { ...appStorePurchase(''), profileId: null }), 'profileId');
    },
  ),
  authentication.withKey('When profileId is given it is used directly', async (app) => {
    const customerUserId = someone();
    const [first] = [await newProfileId(app), await newProfileId(app, { customerUserId })];
    const custom = { key: 'mine', value: 'yes' };
    const { id } = accepted(
      await app.v1('/profiles/custom-attributes', { profileId: first, customerUserId, custom }),
      201,
    );
    const again = accepted(await app.v1('/profiles/custom-attributes', { profileId: first, custom }), 200);
    assert.equal(again.id, id);
    accepted(await app.v1('/profiles/custom-attributes', { customerUserId, custom }), 201);
  }),
];
