const PREFIX = "#/components/schemas/";

/** The document without components that nothing in it names (a schema that is only taken, or only answered, is registered for both). */
export function withoutUnused<Document extends object>(document: Document): Document {
  const { components, ...rest } = withComponents(document);
  const schemas = components.schemas ?? {};
  const used = new Set<string>();
  const waiting = [...namesIn({ ...rest, components: { ...components, schemas: {} } })];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    waiting.push(...namesIn(schemas[name]));
  }
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
}

type WithComponents = { readonly components: { readonly schemas?: Readonly<Record<string, unknown>> } };

function withComponents(document: object): WithComponents {
  return { components: {}, ...document };
}

function namesIn(value: unknown): string[] {
  const text = JSON.stringify(value) ?? "";
  return [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? PREFIX);
}
