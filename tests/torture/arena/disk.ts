import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const roomBytes = 4 * 2 ** 30;
const mostAttempts = 50;

/** A folder in memory whose size can be changed while it is used: so it can be filled, and gets space again. */
export class Disk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @returns null where it cannot be made: that takes Linux, and the right to mount */
  static async mount(folder: string): Promise<Disk | null> {
    await mkdir(folder, { recursive: true });
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${roomBytes},mode=0755`, 'tmpfs', folder]);
      return new Disk(folder);
    } catch {
      return null;
    }
  }

  /** Leaves no byte, or so many. Looked at again where more was written before it could be resized, which fails then. */
  async fill(leftBytes = 0): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { blocks, bfree, bsize } = statfsSync(this.folder);
      try {
        return await this.#resize((blocks - bfree) * bsize + leftBytes);
      } catch (error) {
        if (attempt === mostAttempts) throw error;
      }
    }
  }

  async makeRoom(): Promise<void> {
    await this.#resize(roomBytes);
  }

  async unmount(): Promise<void> {
    await run('umount', ['-l', this.folder]);
  }

  async #resize(bytes: number): Promise<void> {
    await run('mount', ['-o', `remount,size=${bytes}`, this.folder]);
  }
}
