import { readFileSync } from 'node:fs';

/** In MB of 10^6 bytes. @throws if the process has ended */
function megabytesOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kibibytes === undefined) throw new Error(`process ${pid} has ended`);
  return (Number(kibibytes) * 1024) / 1e6;
}

/** Resident memory of a process, in MB of 10^6 bytes. @throws if it has ended */
export const residentMegabytes = (pid: number): number => megabytesOf(pid, 'VmRSS');

/** The most that a process has had resident so far, in MB of 10^6 bytes. @throws if it has ended */
export const peakMegabytes = (pid: number): number => megabytesOf(pid, 'VmHWM');
