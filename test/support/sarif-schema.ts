/**
 * What SARIF 2.1.0 allows for the objects that a check writes (OASIS, section 3): their properties and no others, with the types and limits of the
 * specification.
 */
const text = { type: 'string' };
const message = object({ text: { type: 'string', minLength: 1 } }, ['text']);
const level = { enum: ['none', 'note', 'warning', 'error'] };
const absoluteUri = { type: 'string', pattern: '^[a-z][a-z0-9+.-]*:' };
/** RFC 3986: no space, no control character, no quote, no bracket outside of an authority. */
const uriReference = { type: 'string', pattern: "^(?:[A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$" };

export const SARIF_SCHEMA = object(
  {
    $schema: absoluteUri,
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: object(
        {
          tool: object(
            {
              driver: object(
                {
                  name: text,
                  semanticVersion: text,
                  informationUri: absoluteUri,
                  rules: { type: 'array', uniqueItems: true, items: rule() },
                },
                ['name'],
              ),
            },
            ['driver'],
          ),
          automationDetails: object({ id: text }, []),
          invocations: {
            type: 'array',
            items: object(
              {
                executionSuccessful: { type: 'boolean' },
                toolExecutionNotifications: { type: 'array', items: object({ level, message }, ['message']) },
              },
              ['executionSuccessful'],
            ),
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          results: { type: 'array', items: result() },
        },
        ['tool', 'results'],
      ),
    },
  },
  ['version', 'runs'],
);

function rule() {
  return object(
    {
      id: text,
      shortDescription: message,
      help: message,
      helpUri: absoluteUri,
      defaultConfiguration: object({ level }, []),
      properties: object({ tags: { type: 'array', uniqueItems: true, items: text } }, []),
    },
    ['id'],
  );
}

function result() {
  const region = object({ startLine: { type: 'integer', minimum: 1 } }, []);
  const physicalLocation = object({ artifactLocation: object({ uri: uriReference }, []), region }, [
    'artifactLocation',
  ]);
  return object(
    {
      ruleId: text,
      ruleIndex: { type: 'integer', minimum: -1 },
      level,
      message,
      locations: { type: 'array', items: object({ physicalLocation }, []) },
      partialFingerprints: { type: 'object', additionalProperties: text },
    },
    ['message', 'ruleId', 'level', 'locations', 'partialFingerprints'],
  );
}

function object(properties: Readonly<Record<string, object>>, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false };
}
