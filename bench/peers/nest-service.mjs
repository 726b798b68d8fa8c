// The echo service on the stock NestJS Kafka transport.
import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Transport } from '@nestjs/microservices';
import { kafkaOptions } from './nest-options.mjs';

const [brokers, topic, group] = process.argv.slice(2);

class Echo {
  answer() {
    return { status: 'accepted', streamVersion: 1, body: { created: true, attributes: [] } };
  }
}
// What @MessagePattern(topic) and @Module({ controllers: [Echo] }) do, without a compiler for decorators.
Controller()(Echo);
MessagePattern(topic)(Echo.prototype, 'answer', Object.getOwnPropertyDescriptor(Echo.prototype, 'answer'));
class EchoModule {}
Module({ controllers: [Echo] })(EchoModule);

const app = await NestFactory.createMicroservice(EchoModule, {
  transport: Transport.KAFKA,
  options: kafkaOptions(brokers, group),
  logger: ['error'],
});
await app.listen();
process.send('ready');
process.on('disconnect', () => void app.close().then(() => process.exit(0)));
