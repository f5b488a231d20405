import type { AddedSection, CollectSectionsParams, CollectSectionsResult, EditedSection } from "./protocol.js";

/** What a provider may be told while it works: that nobody waits for it any more. */
interface Token {
  readonly isCancellationRequested: boolean;
}

/** What a provider adds to a prompt and changes in it. Only dynamic sections can be changed. */
export interface ProvidedSections {
  add?: AddedSection[];
  edit?: EditedSection[];
  remove?: string[];
  warnings?: string[];
}

/** Adds sections to every prompt; another extension registers one. */
export interface SectionProvider {
  /** Called before a prompt is said, with all that would be said. A prompt waits for it for two seconds at most. */
  provideSections(
    prompt: CollectSectionsParams,
    token: Token,
  ): ProvidedSections | undefined | null | Promise<ProvidedSections | undefined | null>;
}

/** The providers that other extensions registered. */
export class Sections {
  private readonly providers = new Map<string, SectionProvider>();

  /** Registers a provider under a name of letters, digits and ._-, which stands before the keys of its sections. */
  register(name: string, provider: SectionProvider): { dispose(): void } {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
      throw new Error(`the name of a section provider has letters, digits and ._-, not "${name}"`);
    if (typeof provider?.provideSections !== "function")
      throw new Error(`the section provider "${name}" has no method provideSections`);
    this.providers.set(name, provider);
    return {
      dispose: () => {
        if (this.providers.get(name) === provider) this.providers.delete(name);
      },
    };
  }

  /** What all providers add, in the order in which they were registered. One that fails costs itself. */
  async collect(prompt: CollectSectionsParams, token: Token): Promise<CollectSectionsResult | null> {
    if (this.providers.size === 0) return null;
    const answers = await Promise.all(
      [...this.providers].map(async ([name, provider]): Promise<ProvidedSections> => {
        try {
          const given = (await provider.provideSections(prompt, token)) ?? {};
          return { ...given, add: (given.add ?? []).map((section) => ({ ...section, key: `${name}/${section.key}` })) };
        } catch (error) {
          const problem = error instanceof Error ? error.message : String(error);
          return { warnings: [`the section provider ${name}: ${problem}`] };
        }
      }),
    );
    return {
      add: answers.flatMap(({ add }) => add ?? []),
      edit: answers.flatMap(({ edit }) => edit ?? []),
      remove: answers.flatMap(({ remove }) => remove ?? []),
      warnings: answers.flatMap(({ warnings }) => warnings ?? []),
    };
  }
}
