//! The available functions: those of the language, and those of Kubernetes' libraries.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::names::ValueKind;
use slicewise::model::text::shorten;

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallStyle {
    /// `f(a)`
    Global,
    /// `a.f()`
    Member,
}

/// Declares the functions: how each is called, its number of arguments, including a receiver, and its result.
macro_rules! functions {
    ($( $Function:ident $name:literal $style:ident $counts:expr => $kind:ident; )*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Function {
            $( $Function, )*
        }

        impl Function {
            pub(super) const fn name(self) -> &'static str {
                match self {
                    $( Self::$Function => $name, )*
                }
            }
        }

        const FUNCTIONS: &[(Function, &str, CallStyle, RangeInclusive<usize>, ValueKind)] = &[
            $( (Function::$Function, $name, CallStyle::$style, $counts, ValueKind::$kind), )*
        ];
    };
}

functions! {
    SizeOf "size" Global 1..=1 => Int;
    Size "size" Member 1..=1 => Int;
    Contains "contains" Member 2..=2 => Bool;
    StartsWith "startsWith" Member 2..=2 => Bool;
    EndsWith "endsWith" Member 2..=2 => Bool;
    LowerAscii "lowerAscii" Member 1..=1 => String;
    UpperAscii "upperAscii" Member 1..=1 => String;
    Trim "trim" Member 1..=1 => String;
    Split "split" Member 2..=3 => List;
    Join "join" Member 1..=2 => String;
    Replace "replace" Member 3..=4 => String;
    Substring "substring" Member 2..=3 => String;
    CharAt "charAt" Member 2..=2 => String;
    IndexOf "indexOf" Member 2..=3 => Int;
    LastIndexOf "lastIndexOf" Member 2..=3 => Int;
    FormatText "format" Member 2..=2 => String;
    IsSorted "isSorted" Member 1..=1 => Bool;
    Sum "sum" Member 1..=1 => Dyn;
    Min "min" Member 1..=1 => Dyn;
    Max "max" Member 1..=1 => Dyn;
    Sort "sort" Member 1..=1 => List;
    Distinct "distinct" Member 1..=1 => List;
    Flatten "flatten" Member 1..=2 => List;
    Reverse "reverse" Member 1..=1 => List;
    Slice "slice" Member 3..=3 => List;
    First "first" Member 1..=1 => Optional;
    Last "last" Member 1..=1 => Optional;
    Range "lists.range" Global 1..=1 => List;
    SetsContain "sets.contains" Global 2..=2 => Bool;
    SetsEquivalent "sets.equivalent" Global 2..=2 => Bool;
    SetsIntersect "sets.intersects" Global 2..=2 => Bool;
    Int "int" Global 1..=1 => Int;
    Uint "uint" Global 1..=1 => Uint;
    Double "double" Global 1..=1 => Double;
    Text "string" Global 1..=1 => String;
    Bool "bool" Global 1..=1 => Bool;
    Dyn "dyn" Global 1..=1 => Dyn;
    Type "type" Global 1..=1 => Type;
    OptionalOf "optional.of" Global 1..=1 => Optional;
    OptionalOfNonZero "optional.ofNonZeroValue" Global 1..=1 => Optional;
    OptionalNone "optional.none" Global 0..=0 => Optional;
    HasValue "hasValue" Member 1..=1 => Bool;
    ValueOf "value" Member 1..=1 => Dyn;
    OrValue "orValue" Member 2..=2 => Dyn;
    OrOptional "or" Member 2..=2 => Optional;
    IsIp "isIP" Global 1..=1 => Bool;
    Ip "ip" Global 1..=1 => Ip;
    IsCidr "isCIDR" Global 1..=1 => Bool;
    Cidr "cidr" Global 1..=1 => Cidr;
    Family "family" Member 1..=1 => Int;
    IsLoopback "isLoopback" Member 1..=1 => Bool;
    IsUnspecified "isUnspecified" Member 1..=1 => Bool;
    IsLinkLocalUnicast "isLinkLocalUnicast" Member 1..=1 => Bool;
    IsLinkLocalMulticast "isLinkLocalMulticast" Member 1..=1 => Bool;
    IsGlobalUnicast "isGlobalUnicast" Member 1..=1 => Bool;
    IsCanonical "ip.isCanonical" Global 1..=1 => Bool;
    ContainsIp "containsIP" Member 2..=2 => Bool;
    ContainsCidr "containsCIDR" Member 2..=2 => Bool;
    FirstIp "ip" Member 1..=1 => Ip;
    Masked "masked" Member 1..=1 => Cidr;
    PrefixLength "prefixLength" Member 1..=1 => Int;
    Timestamp "timestamp" Global 1..=1 => Timestamp;
    Duration "duration" Global 1..=1 => Duration;
    GetFullYear "getFullYear" Member 1..=2 => Int;
    GetMonth "getMonth" Member 1..=2 => Int;
    GetDate "getDate" Member 1..=2 => Int;
    GetDayOfMonth "getDayOfMonth" Member 1..=2 => Int;
    GetDayOfWeek "getDayOfWeek" Member 1..=2 => Int;
    GetDayOfYear "getDayOfYear" Member 1..=2 => Int;
    GetHours "getHours" Member 1..=2 => Int;
    GetMinutes "getMinutes" Member 1..=2 => Int;
    GetSeconds "getSeconds" Member 1..=2 => Int;
    GetMilliseconds "getMilliseconds" Member 1..=2 => Int;
    Quantity "quantity" Global 1..=1 => Quantity;
    IsQuantity "isQuantity" Global 1..=1 => Bool;
    Sign "sign" Global 1..=1 => Int;
    IsInteger "isInteger" Member 1..=1 => Bool;
    AsInteger "asInteger" Member 1..=1 => Int;
    AsApproximateFloat "asApproximateFloat" Member 1..=1 => Double;
    IsGreaterThan "isGreaterThan" Member 2..=2 => Bool;
    IsLessThan "isLessThan" Member 2..=2 => Bool;
    CompareTo "compareTo" Member 2..=2 => Int;
    AddTo "add" Member 2..=2 => Quantity;
    Sub "sub" Member 2..=2 => Quantity;
    IsUrl "isURL" Global 1..=1 => Bool;
    Url "url" Global 1..=1 => Url;
    GetScheme "getScheme" Member 1..=1 => String;
    GetHost "getHost" Member 1..=1 => String;
    GetHostname "getHostname" Member 1..=1 => String;
    GetPort "getPort" Member 1..=1 => String;
    GetEscapedPath "getEscapedPath" Member 1..=1 => String;
    GetQuery "getQuery" Member 1..=1 => Map;
    FormatNamed "format.named" Global 1..=1 => Optional;
    Validate "validate" Member 2..=2 => Optional;
}

/// The function of that name, and the kind of its result.
///
/// # Errors
/// A message that it does not exist, or how it is called.
pub(super) fn find(
    name: &str,
    style: CallStyle,
    count: usize,
) -> Result<(Function, ValueKind), String> {
    let named: Vec<_> = FUNCTIONS
        .iter()
        .filter(|function| function.1 == name)
        .collect();
    let found = named
        .iter()
        .find(|(_, _, other, counts, _)| *other == style && counts.contains(&count));
    if let Some((function, .., kind)) = found {
        return Ok((*function, *kind));
    }
    let name = shorten(name);
    let call = |style| match style {
        CallStyle::Global => format!("{name}(…)"),
        CallStyle::Member => format!("value.{name}(…)"),
    };
    let receiver = |style| usize::from(style == CallStyle::Member);
    let usages = named.iter().map(|(_, _, style, counts, _)| {
        let (least, most) = (
            counts.start() - receiver(*style),
            counts.end() - receiver(*style),
        );
        let counts = if least == most {
            format!("{least}")
        } else {
            format!("{least} to {most}")
        };
        format!("`{}` with {counts} arguments", call(*style))
    });
    let usages: Vec<_> = usages.collect();
    Err(if usages.is_empty() {
        let count = count - receiver(style);
        format!(
            "there is no function or macro `{}` for {count} arguments",
            call(style)
        )
    } else {
        format!("`{name}` is called as {}", usages.join(", or "))
    })
}
