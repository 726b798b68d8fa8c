import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module, type INestMicroservice } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import { NestLogger } from '@paywright/platform';
import type { BatchHandler, ReceivedMessage } from '../message.ts';
import { ConsumerTest, nothing, textOf } from '../testing/consumer-test.ts';
import { until } from '../testing/until.ts';
import { KafkaBatchServer } from './kafka-batch-server.ts';
import { PassErrorsThrough } from './pass-errors-through.ts';

describe('KafkaBatchServer in a Nest microservice', () => {
  let test: ConsumerTest;
  beforeAll(async () => {
    test = await ConsumerTest.open();
  });
  afterAll(() => test.close());

  async function newStrategy(): Promise<KafkaBatchServer> {
    const { kafka, metrics } = test;
    const producer = await test.producer();
    return new KafkaBatchServer({ kafka, group: `test-${randomUUID()}`, producer, metrics, carries: 'events' });
  }

  /** A microservice with one controller; its controller takes the batches of the topic. */
  async function serve(topic: string, handler: BatchHandler, passErrors = true) {
    @Controller()
    class BatchController {
      @MessagePattern(topic)
      handle(messages: readonly ReceivedMessage[]) {
        return handler(messages);
      }
    }
    @Module({ controllers: [BatchController] })
    class TestModule {}

    const strategy = await newStrategy();
    const module = await Test.createTestingModule({ imports: [TestModule] }).compile();
    const app: INestMicroservice = module.createNestMicroservice({ strategy, logger: new NestLogger(test.logger) });
    if (passErrors) app.useGlobalFilters(new PassErrorsThrough());
    await app.listen();
    test.closing(() => app.close());
    return strategy;
  }

  it.each([
    ['before', true],
    ['while', false],
  ])('joins no group where it is closed %s it begins to listen', async (_, isClosedBefore) => {
    const strategy = await newStrategy();
    const topic = await test.topic();
    strategy.addHandler(topic, async () => nothing);
    if (isClosedBefore) await strategy.close();
    const listening = new Promise((resolve) => strategy.listen(resolve));
    if (!isClosedBefore) await strategy.close();

    expect(await listening).toBeInstanceOf(Error);
    expect(strategy.ready()).not.toBe(true);
  });

  it('hands a batch to the controller and publishes what it returns', async () => {
    const [topic, results] = [await test.topic(), await test.topic()];
    const server = await serve(topic, async (messages) => ({
      publish: messages.map((one) => ({ topic: results, partition: 0, headers: {}, value: `got ${textOf(one)}` })),
      deadLetters: [],
    }));
    expect(server.ready()).toBe(true);
    await test.publish(topic, 0, 'a', 'b');
    await until(async () => (await test.recordsOf(results)).length === 2);
    expect((await test.recordsOf(results)).map(textOf)).toEqual(['got a', 'got b']);
  }, 30_000);

  it.each([
    ['sees a controller’s error as it is', true, 'infrastructure'],
    ['repeats the batch even where Nest hides the error', false, 'unknown'],
  ])(
    '%s',
    async (_, passErrors, cause) => {
      const topic = await test.topic();
      const batches: string[] = [];
      const before = await backOffs(cause);
      await serve(
        topic,
        async (messages) => {
          batches.push(messages.map(textOf).join());
          if (batches.length < 3) throw Object.assign(new Error('away'), { code: '57P01' });
          return nothing;
        },
        passErrors,
      );
      await test.publish(topic, 0, 'a', 'b');
      await until(() => batches.length === 3);
      expect(batches).toEqual(['a,b', 'a,b', 'a,b']);
      expect((await backOffs(cause)) - before).toBe(2);
    },
    30_000,
  );

  const backOffs = async (cause: string): Promise<number> => {
    const metric = await test.metrics.registry.getSingleMetric('messaging_back_offs_total')?.get();
    const values = metric?.values.filter(({ labels }) => labels['cause'] === cause) ?? [];
    return values.reduce((sum, { value }) => sum + value, 0);
  };
});
