import { randomUUID } from 'node:crypto';
import { BatchConsumer } from '../consumer/batch-consumer.ts';
import type { BatchConsumerOptions } from '../consumer/batch-consumer-options.ts';
import type { BatchHandler, BatchResult, OutgoingMessage, ReceivedMessage } from '../message.ts';
import type { CoalescingProducer } from '../producer/coalescing-producer.ts';
import { KafkaTest } from './kafka-test.ts';

export const nothing: BatchResult = { publish: [], deadLetters: [] };

export const textOf = ({ value }: ReceivedMessage): string => String(value);

/** Keeps all that it is handed, repeats included. */
export class Recorder {
  readonly seen: ReceivedMessage[] = [];

  readonly handler: BatchHandler = async (messages) => {
    this.seen.push(...messages);
    return nothing;
  };

  texts(partition?: number): string[] {
    return this.seen.filter((one) => partition === undefined || one.partition === partition).map(textOf);
  }
}

/** A KafkaTest with a producer, which opens consumers of random groups. */
export class ConsumerTest extends KafkaTest {
  static async open(): Promise<ConsumerTest> {
    const test = new ConsumerTest();
    test.#producer = await test.producer();
    return test;
  }

  #producer: CoalescingProducer | undefined;

  async publish(topic: string, partition: number, ...values: string[]): Promise<void> {
    const messages = values.map((value): OutgoingMessage => ({ topic, partition, headers: {}, value }));
    await this.#producer?.send(messages);
  }

  async send(messages: readonly OutgoingMessage[]): Promise<void> {
    await this.#producer?.send(messages);
  }

  /** @returns the running consumer, with its group's name */
  async consume(
    options: Pick<BatchConsumerOptions, 'topic' | 'handler'> & Partial<BatchConsumerOptions>,
  ): Promise<{ consumer: BatchConsumer; group: string }> {
    const group = options.group ?? `test-${randomUUID()}`;
    const producer = options.producer ?? this.#producer ?? (await this.producer());
    const { kafka, metrics } = this;
    const consumer = new BatchConsumer({ kafka, metrics, carries: 'events', ...options, producer, group });
    this.closing(() => consumer.stop());
    await consumer.start();
    return { consumer, group };
  }
}
