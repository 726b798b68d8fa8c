{{- /* The servers, as every service and job finds them. Secrets are files. */ -}}
{{- define "paywright.servers" -}}
{{- $kafka := .Values.kafka -}}
{{- if not $kafka.brokers }}{{ fail "kafka.brokers is not set: name at least one broker as host:port. Kafka is not part of the chart." }}{{ end -}}
- { name: DATABASE_URL_FILE, value: {{ printf "/secrets/database/%s" .Values.database.urlKey | quote }} }
- { name: KAFKA_BROKERS, value: {{ join "," $kafka.brokers | quote }} }
- { name: KAFKA_SSL, value: {{ $kafka.tls.enabled | quote }} }
{{- if $kafka.tls.secret }}
- { name: KAFKA_SSL_CA_FILE, value: /secrets/kafka-tls/ca.crt }
{{- if $kafka.tls.clientCertificate }}
- { name: KAFKA_SSL_CERT_FILE, value: /secrets/kafka-tls/tls.crt }
- { name: KAFKA_SSL_KEY_FILE, value: /secrets/kafka-tls/tls.key }
{{- end }}
{{- end }}
{{- if $kafka.sasl.mechanism }}
- { name: KAFKA_SASL_MECHANISM, value: {{ $kafka.sasl.mechanism | quote }} }
- { name: KAFKA_SASL_USERNAME_FILE, value: /secrets/kafka-sasl/username }
- { name: KAFKA_SASL_PASSWORD_FILE, value: /secrets/kafka-sasl/password }
{{- end }}
{{- with .Values.plaintextHosts }}
- { name: PLAINTEXT_HOSTS, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}

{{- /* Beside the servers, what a service has. */ -}}
{{- define "paywright.environment" -}}
{{- $root := .root -}}
{{ include "paywright.servers" $root }}
{{- if .service.numbered }}
- name: INSTANCE
  valueFrom: { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } }
{{- end }}
{{- with .service.port }}
- { name: {{ $.name | upper | replace "-" "_" }}_PORT, value: {{ . | quote }} }
{{- end }}
{{- range .service.secrets }}
- { name: {{ . | upper | replace "-" "_" }}_FILE, value: {{ printf "/secrets/paywright/%s" . | quote }} }
{{- end }}
{{- with $root.Values.tracing.endpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- if $root.Values.tracing.secret }}
- { name: OTEL_EXPORTER_OTLP_HEADERS_FILE, value: /secrets/tracing/headers }
{{- end }}
{{- if include "paywright.ratesOf" . }}
- { name: FX_RATES_FILE, value: "deploy/rates/eurofxref-hist.csv,/rates/eurofxref-hist.csv" }
{{- end }}
{{- range $name, $value := include "paywright.variables" . | fromJson }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- /* The variables of every service, and over them those of this one: also false, 0 and '', which merge would take for none. */ -}}
{{- define "paywright.variables" -}}
{{- $variables := dict -}}
{{- range $given := list .root.Values.env .service.env -}}
{{- range $name, $value := $given }}{{ $_ := set $variables $name (include "paywright.text" $value) }}{{ end -}}
{{- end -}}
{{- $variables | toJson -}}
{{- end }}

{{- /* Numbers of a values file in decimal digits, as the services take them: printed as they are, a million would be 1e+06. */ -}}
{{- define "paywright.text" -}}
{{- if kindIs "float64" . }}{{ regexReplaceAll "\\.?0+$" (printf "%.9f" .) "" }}{{ else }}{{ . }}{{ end -}}
{{- end }}
