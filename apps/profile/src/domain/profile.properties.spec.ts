import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  type CustomAttribute,
  EraseProfile,
  eventsOf,
  type PersonalFields,
  SaveProfile,
  SetCustomAttributes,
  topics,
  UpdateCustomAttribute,
} from '@paywright/contracts';
import { type Accepted, decide, isRefusal } from '@paywright/event-sourcing';
import { commandFor, heldPersonal } from '@paywright/event-sourcing/testing';
import fc from 'fast-check';
import { type ProfileCommand, profileDecider, type ProfileEvent } from './profile.ts';

const profileId = randomUUID();
const ids: string[] = Array.from({ length: 6 }, () => randomUUID());

// Few values, so that keys, ids and fields meet again and again; now and then so many keys that the limit is met.
const key = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('goal', 'age', 'plan', 'constructor', '__proto__') },
  { weight: 1, arbitrary: fc.integer({ max: 400, min: 0 }).map(String) },
);
const value = fc.constantFrom('', 'a', 'b');
const field = fc.option(fc.constantFrom('a', 'b'));
const sentinel = fc.option(fc.constantFrom('sentinel-1', 'sentinel-2'));
const appId = fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(2) });

const save = fc
  .record({
    appId,
    fields: fc.record({ device: field, os: field, locale: field }, { requiredKeys: [] }),
    personal: fc.record({ email: sentinel, ip: sentinel } satisfies Partial<Record<keyof PersonalFields, unknown>>, {
      requiredKeys: [],
    }),
  })
  .map(({ appId, ...body }) => commandFor(SaveProfile, { key: profileId, appId, body }));
const set = fc
  .record({ appId, attributes: fc.array(fc.record({ key, value }), { minLength: 1, maxLength: 60 }) })
  .map(({ appId, attributes }) => {
    const body = { attributes: attributes.map((attribute) => ({ id: randomUUID(), ...attribute })) };
    return commandFor(SetCustomAttributes, { key: profileId, appId, body });
  });
/** `nth` chooses one of the attributes held, later. */
const update = fc
  .record({ appId, key, value, nth: fc.nat(3) })
  .map(({ appId, nth, ...body }) =>
    commandFor(UpdateCustomAttribute, { key: profileId, appId, body: { id: ids[nth] ?? '', ...body } }),
  );
const erase = appId.map((appId) => commandFor(EraseProfile, { key: profileId, appId, body: { actor: 'ops' } }));
/** A millisecond apart, as gateways issue them; some come late, behind what was issued after them. */
const commands = fc
  .array(
    fc.record({
      command: fc.oneof({ weight: 9, arbitrary: fc.oneof(save, set, update) }, { weight: 1, arbitrary: erase }),
      lateMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) }),
    }),
    { maxLength: 30 },
  )
  .map((all) => all.map(({ command, lateMs }, index): ProfileCommand => ({ ...command, issuedAt: index - lateMs })));

/** What the specification says of a profile, said without events. */
class Model {
  fields: Record<string, unknown> | null = null;
  personal: Partial<PersonalFields> = {};
  erasedAt: number | null = null;
  #appId = 0;
  readonly attributes: CustomAttribute[] = [];

  /** @returns the reply, or the code of the refusal */
  run(command: ProfileCommand): unknown {
    const isOfApp = this.erasedAt === null || command.appId === this.#appId;
    if (command.type === 'EraseProfile' && isOfApp) return this.#erase(command);
    if (this.erasedAt !== null && command.issuedAt <= this.erasedAt) return 'PROFILE_NOT_FOUND';
    if (command.type === 'SaveProfile' && this.fields === null && isOfApp) {
      this.fields = withoutNulls(command.body.fields);
      this.personal = withoutNulls(command.body.personal);
      this.#appId = command.appId;
      return { created: true, createdAt: command.issuedAt };
    }
    if (this.fields === null || command.appId !== this.#appId) return 'PROFILE_NOT_FOUND';
    switch (command.type) {
      case 'SaveProfile':
        return this.#save(command);
      case 'SetCustomAttributes':
        return this.#set(command);
      case 'UpdateCustomAttribute':
        return this.#update(command);
      case 'EraseProfile':
        throw new Error('was handled');
    }
  }

  #save({ body }: SaveProfile): unknown {
    const before = JSON.stringify([sorted(this.fields!), sorted(this.personal)]);
    this.fields = withoutNulls({ ...this.fields, ...body.fields });
    this.personal = withoutNulls({ ...this.personal, ...body.personal });
    if (JSON.stringify([sorted(this.fields), sorted(this.personal)]) !== before) return { created: false };
    const given = Object.keys(withoutNulls(body.personal));
    return { created: false, allPersonalGiven: Object.keys(this.personal).every((name) => given.includes(name)) };
  }

  #erase({ appId, issuedAt }: ProfileCommand): unknown {
    if (this.fields !== null && appId !== this.#appId) return 'PROFILE_NOT_FOUND';
    if (this.fields === null) return this.erasedAt === null ? 'PROFILE_NOT_FOUND' : { erasedAt: this.erasedAt };
    this.fields = null;
    this.personal = {};
    this.attributes.length = 0;
    this.erasedAt = Math.max(issuedAt, this.erasedAt ?? 0);
    return { erasedAt: issuedAt };
  }

  #set({ body }: SetCustomAttributes): unknown {
    const keys = [...new Set(body.attributes.map((attribute) => attribute.key))];
    const added = keys.filter((wanted) => !this.#byKey(wanted));
    if (this.attributes.length + added.length > 100) return 'TOO_MANY_ATTRIBUTES';
    const attributes = keys.map((wanted) => {
      const { id, value } = body.attributes.findLast((attribute) => attribute.key === wanted)!;
      const held = this.#byKey(wanted);
      if (held) return Object.assign(held, { value });
      return (this.attributes.push({ id, key: wanted, value }), this.attributes.at(-1));
    });
    return { created: added.length > 0, attributes: structuredClone(attributes) };
  }

  #update({ body: { id, key, value } }: UpdateCustomAttribute): unknown {
    const held = this.attributes.find((attribute) => attribute.id === id);
    if (!held) return 'ATTRIBUTE_NOT_FOUND';
    if (held.key !== key && this.#byKey(key)) return 'ATTRIBUTE_KEY_TAKEN';
    return { attribute: { ...Object.assign(held, { key, value }) } };
  }

  #byKey(key: string): CustomAttribute | undefined {
    return this.attributes.find((attribute) => attribute.key === key);
  }
}

const withoutNulls = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
const sorted = (fields: object) => Object.entries(fields).sort();

interface Step {
  readonly command: ProfileCommand;
  readonly events: readonly ProfileEvent[];
  readonly answer: unknown;
  readonly expected: unknown;
}

/** Runs the commands through decider and model; updates are aimed at attributes that exist, where there are any. */
function run(all: readonly ProfileCommand[]) {
  const model = new Model();
  let state = profileDecider.initialState;
  let personal: Partial<PersonalFields> = {};
  const steps = all.map((given): Step => {
    const target = model.attributes[given.type === 'UpdateCustomAttribute' ? ids.indexOf(given.body.id) : -1];
    const command =
      given.type === 'UpdateCustomAttribute' && target ? { ...given, body: { ...given.body, id: target.id } } : given;
    const expected = model.run(command);
    const decision = decide(profileDecider, command, state, heldPersonal({ version: 1, fields: personal }));
    if (isRefusal(decision)) return { command, events: [], answer: decision.code, expected };
    personal = personalAfter(personal, decision);
    state = decision.events.reduce(profileDecider.evolve, state);
    return { command, events: decision.events, answer: decision.reply, expected };
  });
  return { steps, state, personal, model };
}

const personalAfter = (
  before: Partial<PersonalFields>,
  { personal }: Accepted<ProfileEvent>,
): Partial<PersonalFields> =>
  personal === 'erased' ? {} : typeof personal === 'object' ? withoutNulls({ ...before, ...personal }) : before;

describe('any sequence of commands', () => {
  it('is answered as the model answers, and ends in its state', () => {
    fc.assert(
      fc.property(commands, (all) => {
        const { steps, state, personal, model } = run(all);
        expect(personal).toEqual(model.personal);
        for (const { answer, expected } of steps) expect(answer).toEqual(expected);
        if (state.status !== 'present') {
          expect(model.fields).toBeNull();
          return expect(state.status === 'erased' ? state.erasedAt : null).toBe(model.erasedAt);
        }
        expect(state.fields).toEqual(model.fields);
        expect([...state.attributes.values()]).toEqual(model.attributes);
      }),
    );
  });

  it('reaches a state that a snapshot gives back, and that its events give back', () => {
    fc.assert(
      fc.property(commands, (all) => {
        const { steps, state } = run(all);
        const { snapshot, evolve, initialState } = profileDecider;
        expect(snapshot?.decode(JSON.parse(JSON.stringify(snapshot.encode(state))))).toEqual(state);
        const stored: ProfileEvent[] = JSON.parse(JSON.stringify(steps.flatMap(({ events }) => events)));
        expect(stored.reduce(evolve, initialState)).toEqual(state);
      }),
    );
  });

  it('has events that keep the contract and hold nothing personal', () => {
    const schemas = new Map<string, { parse: (body: unknown) => unknown }>(
      eventsOf[topics.profileEvents].map(({ type, body }) => [type, body]),
    );
    fc.assert(
      fc.property(commands, (all) => {
        for (const { command, events } of run(all).steps) {
          for (const { type, body } of events) expect(schemas.get(type)?.parse(body)).toEqual(body);
          expect(JSON.stringify(events)).not.toContain('sentinel');
          if (command.type !== 'SaveProfile') continue;
          const personal = Object.keys(command.body.personal).length > 0;
          if (!personal) expect(events).not.toMatchObject([{ body: { personal: true } }]);
        }
      }),
    );
  });

  it('says nothing the second time', () => {
    fc.assert(
      fc.property(commands, fc.oneof(save, set, update, erase), (all, last) => {
        const { state, personal } = run(all);
        const first = decide(profileDecider, last, state, heldPersonal({ version: 1, fields: personal }));
        if (isRefusal(first)) return;
        const held = heldPersonal({ version: 2, fields: personalAfter(personal, first) });
        const again = decide(profileDecider, last, first.events.reduce(profileDecider.evolve, state), held);
        expect(again).toMatchObject({ events: [] });
      }),
    );
  });
});
