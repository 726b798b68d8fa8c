/** What a controller returns on success: sent as `{ok: true, data}` with 201 if something was created, else 200. */
export class Answer {
  readonly created: boolean;

  constructor(
    readonly data: unknown,
    { created = false }: { created?: boolean } = {},
  ) {
    this.created = created;
  }
}
