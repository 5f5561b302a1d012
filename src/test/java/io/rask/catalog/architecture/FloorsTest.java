package io.rask.catalog.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Optional;

/** Who may use whom. */
@AnalyzeClasses(packages = Floors.BASE, importOptions = DoNotIncludeTests.class)
class FloorsTest {
    @ArchTest
    static final ArchRule everyPackageHasAFloor = classes()
            .that(DescribedPredicate.describe(
                    "belong to a feature", type -> Floors.feature(type).isPresent()))
            .should(new ArchCondition<>("stand on a floor") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    boolean known = Floors.feature(type).flatMap(Floors::of).isPresent();
                    events.add(new SimpleConditionEvent(type, known, type.getName() + " stands on no floor"));
                }
            });

    @ArchTest
    static final ArchRule aPackageUsesOnlyItsOwnFloorAndLowerOnes = classes()
            .that()
            .resideInAPackage(Floors.BASE + "..")
            .should(new ArchCondition<>("use only their own floor and lower ones") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    for (Dependency use : type.getDirectDependenciesFromSelf()) {
                        events.add(new SimpleConditionEvent(use, !climbs(use), use.getDescription()));
                    }
                }
            });

    @ArchTest
    static final ArchRule packagesFormNoCycles =
            slices().matching(Floors.BASE + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheNativeLayerTouchesLanceAndArrow = noClasses()
            .that()
            .resideOutsideOfPackage(Floors.BASE + ".lance..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.lance..", "com.lancedb..", "org.apache.arrow..");

    private static boolean climbs(Dependency use) {
        Optional<Integer> from = Floors.feature(use.getOriginClass()).flatMap(Floors::of);
        Optional<Integer> to = Floors.feature(use.getTargetClass()).flatMap(Floors::of);
        return from.isPresent() && to.isPresent() && to.get() > from.get();
    }
}
