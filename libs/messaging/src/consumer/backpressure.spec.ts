import { describe, expect, it } from '@jest/globals';
import type { TopicPartition } from '../message.ts';
import { Backpressure } from './backpressure.ts';
import { laneOf } from './partition-control.ts';

const [one, other] = [0, 1].map((partition) => ({ topic: 'profile.events', partition })) as [
  TopicPartition,
  TopicPartition,
];

function scene(mostBytes: number) {
  const waiting = new Map<string, number>();
  const paused = new Set<string>();
  const counts: number[] = [];
  const backpressure = new Backpressure({
    control: { pause: (place) => paused.add(laneOf(place)), resume: (place) => paused.delete(laneOf(place)) },
    mostBytes,
    waitingBytes: (place) => waiting.get(laneOf(place)) ?? 0,
    onPaused: (count) => counts.push(count),
  });
  const waits = (place: TopicPartition, bytes: number) => waiting.set(laneOf(place), bytes);
  return { backpressure, waits, paused, counts };
}

describe('Backpressure', () => {
  it('pauses a partition that has its share of what may wait, until less of it waits', () => {
    const { backpressure, waits, paused, counts } = scene(200);
    backpressure.assigned([one, other]);
    waits(one, 99);
    backpressure.pauseIfFull(one);
    expect(paused).toEqual(new Set());
    waits(one, 100);
    backpressure.pauseIfFull(one);
    backpressure.pauseIfFull(other);
    expect(paused).toEqual(new Set([laneOf(one)]));
    backpressure.resumeIfFree(one);
    expect(paused).toEqual(new Set([laneOf(one)]));
    waits(one, 99);
    backpressure.resumeIfFree(one);
    expect(paused).toEqual(new Set());
    expect(counts).toEqual([1, 0]);
  });

  it('counts none as paused behind an assignment, which lets them all be fetched', () => {
    const { backpressure, waits, paused, counts } = scene(100);
    backpressure.assigned([one]);
    waits(one, 100);
    backpressure.pauseIfFull(one);
    waits(one, 0);
    backpressure.assigned([one, other]);
    expect(paused).toEqual(new Set());
    expect(counts).toEqual([1, 0]);
  });
});
