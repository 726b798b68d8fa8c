/** One place of the sources that is otherwise; `from: null` makes a new file. */
export interface Edit {
  readonly file: string;
  readonly from: string | null;
  readonly to: string;
}

/**
 * What a next version may look like: a command, an event and a table each gain something that is optional. The gateway
 * says who set an attribute, the profile service records it, the projection keeps it. An instance of the version before
 * meets all three: commands and events with a property that it does not know, and a column that it does not write.
 */
export const nextVersion: readonly Edit[] = [
  {
    file: 'apps/gateway/src/custom-attributes/attribute-writing.ts',
    from: 'const body = { attributes };',
    to: "const body = { attributes, setBy: 'app' };",
  },
  {
    file: 'libs/contracts/src/profile/set-custom-attributes.command.ts',
    from: 'z.object({ attributes: z.array(CustomAttribute).min(1).max(500) })',
    to: 'z.object({ attributes: z.array(CustomAttribute).min(1).max(500), setBy: z.string().optional() })',
  },
  {
    file: 'libs/contracts/src/profile/custom-attribute-set.event.ts',
    from: "value: z.string().describe('Its value from now on'),",
    to: "value: z.string().describe('Its value from now on'), setBy: z.string().optional(),",
  },
  {
    file: 'apps/profile/src/domain/set-custom-attributes.ts',
    from: 'CustomAttributeSet.of({ appId, profileId, attributeId, key, value })',
    to: 'CustomAttributeSet.of({ appId, profileId, attributeId, key, value, setBy: body.setBy })',
  },
  {
    file: 'prisma/read-model/migrations/29990101000000_add_set_by/migration.sql',
    from: null,
    to: 'ALTER TABLE "profile" ADD COLUMN "attributes_set_by" TEXT;',
  },
  {
    file: 'apps/projection/src/profile/profile.projection.ts',
    from: 'storeErasures(database, entries);',
    to: `storeErasures(database, entries);
        for (const { stream, event } of entries)
          if (event.type === 'CustomAttributeSet' && event.body.setBy !== undefined)
            database.send({
              text: 'update profile set attributes_set_by = $2 where profile_id = $1::uuid',
              values: [stream, event.body.setBy],
            });`,
  },
];

/** Counts in the database what only the next version writes: that it was at work. */
export const writtenByNextVersion = `
  select count(*)::int as count from read_model.profile where attributes_set_by is not null`;
