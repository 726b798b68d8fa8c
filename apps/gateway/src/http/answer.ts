/** What a controller returns on success: sent as `{ok: true, data}` with 201 if something was created, else 200. */
export class Answer {
  readonly created: boolean;
  /** The profile that the data shows, where they do not name it. */
  readonly profileId: string | null;

  constructor(
    readonly data: unknown,
    { created = false, profileId = null }: { created?: boolean; profileId?: string | null } = {},
  ) {
    this.created = created;
    this.profileId = profileId;
  }
}
