// Messages to people.

export interface Message {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface Mail {
  send(message: Message): Promise<void>;
}

export interface MailOptions {
  readonly data: string;
}

export function createMail(_options: MailOptions): Mail {
  throw new Error('not built yet');
}
